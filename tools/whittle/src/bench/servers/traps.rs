//! What a call in place of a trap would give a server on process: an estimate, from the traps of a request and from what a
//! trap costs beyond a call. A request's system calls are counted by `--trace syscalls`. The cost is that of clock_gettime
//! by `syscall` less that of the same by a call, through the vDSO.

use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use super::super::net::Ours;
use super::super::program::{Program, reading_of};
use super::super::rounds::{Cell, Reading};
use super::super::start::{run_within, whittle};
use super::super::table::Table;
use super::files::Files;
use super::load::Load;
use super::sides::{self, Link};
use crate::failure::{Doing, Failure};
use crate::host::Host;
use crate::house::House;

/// Requests whose calls are counted.
const REQUESTS: usize = 4_000;
/// How often its calls are looked at, and how many of them are its own in that time: it does something ten times a second.
const LOOK: Duration = Duration::from_millis(200);
const OWN: u64 = 40;
/// Looks in which it must have done nothing else.
const QUIET: usize = 5;
/// Operations of the measured program: the same by a trap and by a call.
const TRAPPED: &str = "clock-gettime-call";
const CALLED: &str = "clock-gettime";

/// For each load its rate now, its traps, and its rate with calls.
pub fn estimate(
    house: &House,
    files: &Files,
    loads: &[(String, Load, Link)],
    rates: &[Cell],
) -> Result<Table, Failure> {
    let cost = cost(house)?;
    let mut rows = Vec::new();
    for ((name, load, link), rate) in loads.iter().zip(rates) {
        eprintln!("whittle: traps of {name}");
        let traps = traps(house, files, *load, *link)?;
        let with_calls = rate.median().map(|rate| 1e9 / (1e9 / rate - traps * cost).max(1.0));
        let of = |value: Option<f64>| value.map_or_else(Cell::unknown, |value| Cell::of(Reading::Samples(vec![value])));
        rows.push((name.clone(), vec![of(Some(traps)), of(rate.median()), of(with_calls)]));
    }
    Ok(Table {
        what: "servers-traps",
        unit: "an estimate, not measured",
        headings: vec!["traps per request".into(), "requests per second".into(), "with calls".into()],
        reference: None,
        rows,
        notes: vec![format!(
            "With calls: each request's time less {cost:.0} ns for each trap, which is what clock_gettime by a trap takes \
             beyond the same by a call. It holds where the server is what limits."
        )],
    })
}

/// Nanoseconds of a trap beyond a call.
fn cost(house: &House) -> Result<f64, Failure> {
    let program = Program::build(house, "calls")?;
    let kilohertz = Host::new(house).tsc_kilohertz();
    let kilohertz = kilohertz.ok_or_else(|| Failure::ours("the time stamp counter of this machine makes no sense"))?;
    let nanoseconds = |operation: &str| {
        let path = program.path.display().to_string();
        let ended = run_within(whittle(house, &["--platform", "process", "--", &path, operation])?)?;
        match reading_of(ended, operation, 1e6 / kilohertz as f64) {
            Reading::Samples(samples) => Ok(super::super::rounds::median(samples)),
            Reading::Missing(why) => Err(Failure::ours(format!("{operation} is not measured: {why}"))),
        }
    };
    Ok(nanoseconds(TRAPPED)? - nanoseconds(CALLED)?)
}

/// System calls of a request.
fn traps(house: &House, files: &Files, load: Load, link: Link) -> Result<f64, Failure> {
    let options = ["--platform", "process", "--trace", "syscalls"];
    let mut command = sides::command(house, files, (load.server, 1), link, &options)?;
    let (reader, writer) = std::io::pipe().doing("make a pipe")?;
    command.stderr(Stdio::from(writer));
    let machine = Ours::of(command)?;
    let calls = Arc::new(AtomicU64::new(0));
    let counts = Arc::clone(&calls);
    std::thread::spawn(move || {
        let lines = BufReader::new(reader).split(b'\n').map_while(Result::ok);
        lines.for_each(|_| _ = counts.fetch_add(1, Relaxed));
    });
    let doing = || format!("ask a server for {}", load.name());
    load.prepare(link.address()).doing(doing())?;
    load.ask(link.address(), 200).doing(doing())?;
    let before = told(&calls);
    let asked = load.ask(link.address(), REQUESTS).doing(doing())?;
    let after = told(&calls);
    drop(machine);
    Ok((after - before) as f64 / asked as f64)
}

/// The lines once no more come of what was asked, also where this command's own threads hardly get to run.
fn told(calls: &AtomicU64) -> u64 {
    let (mut before, mut quiet) = (calls.load(Relaxed), 0);
    while quiet < QUIET {
        std::thread::sleep(LOOK);
        let now = calls.load(Relaxed);
        quiet = if now < before + OWN { quiet + 1 } else { 0 };
        before = now;
    }
    before
}
