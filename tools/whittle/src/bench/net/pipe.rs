//! TCP over the device and over the machine's own loopback, with `apps/net-pipe`: streams, and messages to and fro from
//! 1 byte to 1 MB as NetPIPE has them (Snell, Mikler, Gustafson, 1996).

use std::fs;
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

use super::super::rounds::{Cell, Measure, Reading, Side, interleave};
use super::super::table::Table;
use super::behind;
use super::client::connect;
use super::plot::{self, Line};
use super::sides::{self, Application, Ours};
use super::{ADDRESS, TAP, namespace};
use crate::arguments::{Net, Platform, Reference};
use crate::failure::{Doing, Failure};
use crate::house::House;

/// Rounds unless told otherwise.
const ROUNDS: usize = 5;
/// Ports of `apps/net-pipe`: messages, the machine's own loopback, a stream's sink, its source.
const PORTS: [u16; 4] = [5002, 5003, 5004, 5005];
/// Bytes of a stream, and those that are not measured.
const STREAM: u64 = 256 << 20;
const WARM_UP: u64 = 8 << 20;
/// The longest message is four to this power: 1 MB.
const LONGEST: u32 = 10;
/// Bytes that messages of one length carry each way, and how many messages there are at the least and at most.
const CARRIED: u64 = 16 << 20;
const COUNTS: [u64; 2] = [16, 2000];
/// How long a machine may take to begin to serve.
const BEGIN: Duration = Duration::from_secs(300);

/// Which way bytes go.
#[derive(Clone, Copy)]
enum Way {
    /// To the machine, over the device.
    There,
    /// From it.
    Back,
    /// Within it.
    Inside,
}

const STREAMS: [(Way, &str); 3] =
    [(Way::There, "to the machine"), (Way::Back, "from the machine"), (Way::Inside, "within it, over 127.0.0.1")];

fn number(stream: &mut TcpStream, numbers: &[u64]) -> io::Result<()> {
    stream.write_all(&numbers.iter().flat_map(|number| number.to_be_bytes()).collect::<Vec<_>>())
}

/// So long took what the machine measured within itself.
fn inside(length: u64, count: u64) -> io::Result<Duration> {
    let mut stream = connect(PORTS[1])?;
    stream.set_read_timeout(Some(BEGIN))?;
    number(&mut stream, &[length, count])?;
    let mut told = [0; 8];
    stream.read_exact(&mut told)?;
    Ok(Duration::from_nanos(u64::from_be_bytes(told)))
}

/// How long a stream takes, up to its end's arrival.
fn stream(way: Way, bytes: u64) -> io::Result<Duration> {
    let since = Instant::now();
    match way {
        Way::There => send(connect(PORTS[2])?, bytes)?,
        Way::Back => receive(connect(PORTS[3])?, bytes)?,
        Way::Inside => return inside(0, bytes),
    }
    Ok(since.elapsed())
}

fn send(mut stream: TcpStream, bytes: u64) -> io::Result<()> {
    let piece = vec![0; 64 << 10];
    (0..bytes / piece.len() as u64).try_for_each(|_| stream.write_all(&piece))?;
    stream.shutdown(Shutdown::Write)?;
    stream.read(&mut [0]).map(drop)
}

fn receive(mut stream: TcpStream, bytes: u64) -> io::Result<()> {
    number(&mut stream, &[bytes])?;
    let (mut piece, mut came) = (vec![0; 64 << 10], 0);
    loop {
        match stream.read(&mut piece)? {
            0 if came == bytes => return Ok(()),
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            count => came += count as u64,
        }
    }
}

/// How many messages of a length are measured.
fn count(length: u64) -> u64 {
    (CARRIED / length).clamp(COUNTS[0], COUNTS[1])
}

/// How long messages to and fro take.
fn to_and_fro(is_inside: bool, length: u64, count: u64) -> io::Result<Duration> {
    if is_inside {
        return inside(length, count);
    }
    let (mut stream, mut message) = (connect(PORTS[0])?, vec![0; length as usize]);
    number(&mut stream, &[length])?;
    let since = Instant::now();
    for _ in 0..count {
        stream.write_all(&message)?;
        stream.read_exact(&mut message)?;
    }
    Ok(since.elapsed())
}

/// Waits until the machine serves.
fn wait() -> Result<(), Failure> {
    let since = Instant::now();
    loop {
        match to_and_fro(false, 1, 1) {
            Ok(_) => return Ok(()),
            Err(error) if since.elapsed() > BEGIN => return Err(error).doing("reach a machine"),
            Err(_) => std::thread::sleep(Duration::from_millis(100)),
        }
    }
}

/// Ours and Linux, each started for every measurement.
fn both<'a>(house: &'a House, wanted: &Net, read: fn(&str) -> io::Result<f64>) -> Result<Vec<Side<'a>>, Failure> {
    let read = move |name: &str| {
        wait()?;
        read(name).doing(format!("measure `{name}`")).map(|value| Reading::Samples(vec![value]))
    };
    Application::Pipe.build(house, Platform::Process)?;
    let ours: Measure<'a> = Box::new(move |name| {
        let _machine = Ours::start(house, Application::Pipe, &["--platform", "process"])?;
        read(name)
    });
    let mut all = vec![Side { heading: "process".into(), measure: ours }];
    if wanted.reference != Reference::No {
        let program = sides::for_linux(house, Application::Pipe)?;
        let linux: Measure<'a> = Box::new(move |name| {
            let _server = behind::serve(&[program.display().to_string()])?;
            read(name)
        });
        all.push(Side { heading: "Linux".into(), measure: linux });
    }
    Ok(all)
}

fn measure(house: &House, wanted: &Net, names: &[String], read: fn(&str) -> io::Result<f64>) -> Result<Table, Failure> {
    let mut sides = both(house, wanted, read)?;
    namespace::enter()?;
    namespace::tap(TAP, ADDRESS)?;
    let rounds = wanted.rounds.unwrap_or(ROUNDS);
    let mut tell = |round| eprintln!("whittle: round {} of {rounds}", round + 1);
    let rows = interleave(rounds, names, &mut sides, &mut tell)?;
    Ok(Table {
        what: "net",
        unit: "",
        reference: (wanted.reference != Reference::No).then_some(1),
        headings: sides.into_iter().map(|side| side.heading).collect(),
        rows: names.iter().cloned().zip(rows).collect(),
        notes: vec![NOTE.into()],
    })
}

const NOTE: &str = "Both behind the same TAP device and the same client; to Linux a carrier of frames leads, by way of a \
                    second device. Within the machine nobody carries.";

/// Streams' megabytes per second.
pub fn streams(house: &House, wanted: &Net) -> Result<(), Failure> {
    let read = |name: &str| {
        let (way, _) = STREAMS.into_iter().find(|(_, known)| *known == name).ok_or(io::ErrorKind::NotFound)?;
        stream(way, WARM_UP)?;
        Ok(STREAM as f64 / 1e6 / stream(way, STREAM)?.as_secs_f64())
    };
    let table = measure(house, wanted, &STREAMS.map(|(_, name)| name.to_owned()), read)?;
    Table { unit: "megabytes per second, more is better", ..table }.print(wanted.json);
    Ok(())
}

/// A message's name in tables: its way, and its length.
fn name(is_inside: bool, length: u64) -> String {
    format!("{length} bytes{}", if is_inside { ", over 127.0.0.1" } else { "" })
}

/// The time that a message takes one way, in microseconds, for all lengths.
pub fn messages(house: &House, wanted: &Net) -> Result<(), Failure> {
    let read = |name: &str| {
        let length = name.split(' ').next().and_then(|word| word.parse().ok()).ok_or(io::ErrorKind::NotFound)?;
        let is_inside = name.contains(',');
        let count = count(length);
        to_and_fro(is_inside, length, count / 8 + 1)?;
        Ok(to_and_fro(is_inside, length, count)?.as_secs_f64() * 1e6 / (2 * count) as f64)
    };
    let lengths: Vec<u64> = (0..=LONGEST).map(|power| 4_u64.pow(power)).collect();
    let both = [false, true].into_iter().flat_map(|way| lengths.iter().map(move |length| name(way, *length)));
    let names: Vec<String> = both.collect();
    let table = measure(house, wanted, &names, read)?;
    let table = Table { unit: "microseconds one way, less is better", ..table };
    if let Some(path) = &wanted.plot {
        fs::write(path, plot::svg(&lengths, &lines(&table, lengths.len())))
            .doing(format!("write {}", path.display()))?;
    }
    table.print(wanted.json);
    Ok(())
}

/// What is drawn: each side over each way. Rows of the first way come first.
fn lines(table: &Table, lengths: usize) -> Vec<Line> {
    let ways = table.rows.chunks(lengths).zip(["over TAP", "over loopback"]);
    let line = |side: usize, (rows, way): (&[(String, Vec<Cell>)], &str)| Line {
        name: format!("{} {way}", table.headings[side]),
        // As NetPIPE has it: what the path can do, not what else the machine was at.
        microseconds: rows.iter().filter_map(|(_, cells)| cells[side].least()).collect(),
    };
    ways.flat_map(|way| (0..table.headings.len()).map(move |side| line(side, way))).collect()
}
