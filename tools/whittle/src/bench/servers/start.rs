//! From a start to the first answer: instructions on pc beside a Linux guest, time on process and on pc, least memory.

use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::json;

use super::super::guest::{self, Served};
use super::super::net::{ADDRESS, Counter, Counts, KERNEL, Ours, SERVER, TAP, enter_namespace, make_tap, open_tap};
use super::super::rounds::{Cell, Measure, Reading, Side, interleave};
use super::super::table::Table;
use super::answer::{Patience, first};
use super::files::Files;
use super::load::Load;
use super::server::Server;
use super::sides::{self, Link};
use super::{bars, chosen, least};
use crate::arguments::{Platform, Reference, Servers};
use crate::compose::rebuild_image;
use crate::failure::Failure;
use crate::house::House;

/// The servers.
const SERVERS: [Server; 5] = [Server::Redis, Server::Nginx, Server::Node, Server::Java, Server::Go];
/// Below this no program lies: firmware, and the first instructions of kernels.
const FIRST: u64 = 0x40_0000;
/// How long a Linux guest may take to begin.
const BEGINS: Duration = Duration::from_secs(300);
/// Rounds of times unless told otherwise.
const ROUNDS: usize = 5;
/// Bytes of memory that are enough for a Linux guest.
pub const MEMORY: u64 = 2 << 30;
/// Machines without firmware to speak of, under emulation.
pub const EMULATED: [&str; 4] = ["--platform", "pc", "--accel", "tcg"];

/// What a side needs: instructions of the kernel, and of all.
type Counted = [f64; 2];

/// Measures and prints.
pub fn start(house: &House, wanted: &Servers) -> Result<(), Failure> {
    let servers = chosen(&SERVERS, &wanted.only)?;
    let (counter, files) = (Counter::build(house)?, Files::make(house, &servers)?);
    for platform in [Platform::Pc, Platform::Process] {
        rebuild_image(house, platform.name())?;
    }
    let has_reference = wanted.reference != Reference::No;
    if has_reference {
        guest::fetch(house)?;
    }
    enter_namespace()?;
    make_tap(TAP, ADDRESS)?;
    sides::know_machines()?;
    let bench = Bench { house, files, counter, has_reference };
    let tables = [
        bench.instructions(&servers)?,
        bench.times(&servers, wanted)?,
        bench.emulated(&servers)?,
        bench.memory(&servers)?,
    ];
    if wanted.json {
        println!("{:#}", json!(tables.each_ref().map(Table::json)));
    } else {
        print!("{}", tables.each_ref().map(Table::text).join("\n"));
    }
    bars::draw(&tables.each_ref(), wanted.plot.as_deref())
}

/// What all of it needs.
pub struct Bench<'a> {
    pub house: &'a House,
    pub files: Files,
    counter: Counter,
    has_reference: bool,
}

impl Bench<'_> {
    /// Starts a machine of ours over the TAP device.
    pub fn ours(&self, server: Server, options: &[&str]) -> Result<Ours, Failure> {
        let options = [&EMULATED[..], options].concat();
        Ours::of(sides::command(self.house, &self.files, (server, 1), Link::Tap, &options)?)
    }

    /// The same with so much memory, which may be too little: what it says of that is no news.
    pub fn ours_quietly(&self, server: Server, memory: &str) -> Result<Ours, Failure> {
        let options = [&EMULATED[..], &["--memory", memory]].concat();
        let mut command = sides::command(self.house, &self.files, (server, 1), Link::Tap, &options)?;
        command.stderr(Stdio::null());
        Ours::of(command)
    }

    /// Starts a Linux guest there.
    pub fn linux(&self, server: Server, plugin: Option<String>, memory: u64) -> Result<Served, Failure> {
        let programs = sides::programs(&self.files, &[server], "", memory)?;
        guest::begin(self.house, programs, open_tap()?, plugin)
    }

    fn instructions(&self, servers: &[Server]) -> Result<Table, Failure> {
        let mut rows = Vec::new();
        for &server in servers {
            eprintln!("whittle: instructions to the first answer of {}", server.name());
            let ours = self.counted(server)?;
            let linux = self.has_reference.then(|| self.counted_on_linux(server)).transpose()?;
            let cell = |counted: Option<f64>| counted.map_or_else(Cell::unknown, |count| Cell::of(of(count)));
            let row = |part: usize| vec![cell(Some(ours[part])), cell(linux.map(|linux| linux[part]))];
            rows.push((format!("{}: the kernel", server.name()), row(0)));
            rows.push((format!("{}: all", server.name()), row(1)));
        }
        Ok(self.table(
            "instructions to the first answer",
            rows,
            "Limits of the kernel's: redis 10 million, nginx 5 million.",
        ))
    }

    fn counted(&self, server: Server) -> Result<Counted, Failure> {
        let plugin = self.counter.words()?;
        let mut machine = self.ours(server, &["--memory", server.memory(), "--plugin", &plugin])?;
        self.answered(server, || machine.is_there())?;
        let counts = self.counter.read()?;
        let is_kernel = |address: u64| !(FIRST..KERNEL).contains(&address);
        let sum =
            |of: &dyn Fn(u64) -> bool| counts.iter().filter(|(at, _)| of(**at)).map(|(_, count)| *count as f64).sum();
        Ok([sum(&is_kernel), sum(&|_| true)])
    }

    /// All that goes before the program is the kernel's part: what unpacks it lies where programs do.
    fn counted_on_linux(&self, server: Server) -> Result<Counted, Failure> {
        let mut machine = self.linux(server, Some(self.counter.words()?), MEMORY)?;
        if !machine.begins(BEGINS) {
            return Err(Failure::ours("the Linux guest does not come to its program"));
        }
        let before = self.counter.read()?;
        self.answered(server, || machine.is_there())?;
        let counts = self.counter.read()?;
        let all: u64 = counts.values().sum();
        let users = |of: &Counts| of.iter().filter(|(at, _)| **at < KERNEL).map(|(_, count)| count).sum::<u64>();
        let program = users(&counts).saturating_sub(users(&before));
        Ok([(all - program) as f64, all as f64])
    }

    fn answered(&self, server: Server, is_there: impl FnMut() -> bool) -> Result<(), Failure> {
        first(Load::opening(server), SERVER, Patience::LONG, is_there).map(drop).ok_or_else(|| unanswered(server))
    }

    /// On process beside this Linux.
    fn times(&self, servers: &[Server], wanted: &Servers) -> Result<Table, Failure> {
        let link = Link::Published;
        let ours: Measure<'_> = Box::new(|name| {
            let (server, since) = (of_name(servers, name)?, Instant::now());
            let mut machine = sides::process(self.house, &self.files, (server, 1), link, &[])?;
            waited(server, link, since, || machine.is_there())
        });
        let linux: Measure<'_> = Box::new(|name| {
            let (server, since) = (of_name(servers, name)?, Instant::now());
            let _server = sides::native(&self.files, (server, 1), link)?;
            waited(server, link, since, || true)
        });
        let mut sides = vec![Side { heading: "process".into(), measure: ours }];
        if self.has_reference {
            sides.push(Side { heading: "Linux".into(), measure: linux });
        }
        let (rounds, names) = (wanted.rounds.unwrap_or(ROUNDS), names(servers));
        let mut tell = |round| eprintln!("whittle: round {} of {rounds}", round + 1);
        let rows = interleave(rounds, &names, &mut sides, &mut tell)?;
        let headings = sides.into_iter().map(|side| side.heading).collect();
        let rows = names.into_iter().zip(rows).collect();
        let table =
            self.table("milliseconds to the first answer", rows, "From the start of the command; by -p, as built.");
        Ok(Table { headings, ..table })
    }

    /// On pc beside a Linux guest, both emulated.
    fn emulated(&self, servers: &[Server]) -> Result<Table, Failure> {
        let mut rows = Vec::new();
        for &server in servers {
            eprintln!("whittle: time to the first answer of {}, emulated", server.name());
            let since = Instant::now();
            let mut machine = self.ours(server, &["--memory", server.memory()])?;
            let mut cells = vec![Cell::of(waited(server, Link::Tap, since, || machine.is_there())?)];
            drop(machine);
            if self.has_reference {
                let mut machine = self.linux(server, None, MEMORY)?;
                cells.push(Cell::of(waited(server, Link::Tap, machine.since, || machine.is_there())?));
            } else {
                cells.push(Cell::unknown());
            }
            rows.push((server.name().to_owned(), cells));
        }
        Ok(self.table(
            "milliseconds to the first answer, emulated",
            rows,
            "From the start of QEMU, or of the command that starts it.",
        ))
    }

    fn memory(&self, servers: &[Server]) -> Result<Table, Failure> {
        let mut rows = Vec::new();
        for &server in servers {
            eprintln!("whittle: least memory of {}", server.name());
            let ours = of(least::of_ours(self, server)? as f64);
            let linux = self.has_reference.then(|| least::of_linux(self, server)).transpose()?;
            let linux = linux.map_or_else(Cell::unknown, |least| Cell::of(of(least as f64)));
            rows.push((server.name().to_owned(), vec![Cell::of(ours), linux]));
        }
        Ok(self.table("kilobytes, least memory that serves", rows, "Limits: redis 16,384, nginx 12,288."))
    }

    fn table(&self, unit: &'static str, rows: Vec<(String, Vec<Cell>)>, limits: &str) -> Table {
        Table {
            what: "servers-start",
            unit,
            headings: vec!["pc".into(), "Linux guest".into()],
            reference: self.has_reference.then_some(1),
            rows,
            notes: vec![limits.into()],
        }
    }
}

fn names(servers: &[Server]) -> Vec<String> {
    servers.iter().map(|server| server.name().to_owned()).collect()
}

fn of(value: f64) -> Reading {
    Reading::Samples(vec![value])
}

fn of_name(servers: &[Server], name: &str) -> Result<Server, Failure> {
    servers
        .iter()
        .find(|server| server.name() == name)
        .copied()
        .ok_or_else(|| Failure::ours(format!("nobody serves {name}")))
}

/// Milliseconds until it answers.
fn waited(server: Server, link: Link, since: Instant, is_there: impl FnMut() -> bool) -> Result<Reading, Failure> {
    let moment =
        first(Load::opening(server), link.address(), Patience::SHORT, is_there).ok_or_else(|| unanswered(server))?;
    Ok(of(moment.duration_since(since).as_secs_f64() * 1e3))
}

fn unanswered(server: Server) -> Failure {
    Failure::ours(format!("{} has not answered", server.name()))
}
