//! `whittle bench calls`, `threads`, `processes`, `files` and `net --calls`: what operations cost in whittle and on
//! Linux, told by the same program.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::program::{Program, reading_of};
use super::rounds::{Cell, Reading, Side, interleave};
use super::start::{Ended, run_within, whittle};
use super::table::Table;
use super::{alone, guest, pin};
use crate::arguments::{Compare, Platform, Reference};
use crate::compose::rebuild_image;
use crate::failure::Failure;
use crate::host::Host;
use crate::house::House;

/// A group of operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// System calls and what else one thread asks for.
    Calls,
    /// What needs a second thread.
    Threads,
    /// Other processes, and what LEBench measures beside them.
    Processes,
    /// Files and directories, and SQLite on them.
    Files,
    /// Sockets over the machine's own loopback.
    Sockets,
}

impl Group {
    const fn name(self) -> &'static str {
        match self {
            Self::Calls => "calls",
            Self::Threads => "threads",
            Self::Processes => "processes",
            Self::Files => "files",
            Self::Sockets => "sockets",
        }
    }

    /// How long a sample lasts, by instructions and by ticks. What sockets hold between two calls is bounded. A process
    /// that ended leaves work to the next ones, so a sample has several.
    const fn samples(self) -> [&'static [&'static str]; 2] {
        match self {
            Self::Sockets => [&["samples=9", "ticks=100000"], &["samples=40", "ticks=100000"]],
            Self::Processes => [&["samples=9", "ticks=200000"], &["samples=40", "ticks=10000000"]],
            _ => [&["samples=9", "ticks=200000"], &["samples=40", "ticks=500000"]],
        }
    }

    /// Native Rust on the kernel's objects: the same operations without Linux between, where there is such an
    /// application.
    const fn native(self) -> Option<&'static str> {
        match self {
            Self::Calls | Self::Processes | Self::Sockets => None,
            Self::Threads => Some("apps/bench-threads"),
            Self::Files => Some("apps/bench-files"),
        }
    }
}

/// Rounds of a comparison by time unless told otherwise.
const ROUNDS: usize = 7;
/// The side whose system calls trap each.
const TRAPPED: &str = "trapped";
/// The side whose loopback is the host's.
const HOSTS_SOCKETS: &str = "host's sockets";
/// How instructions are counted.
const COUNTED: &[&str] = &["--platform", "pc", "--icount"];
/// Where all sides have files in memory.
const FOLDER: &str = "folder=/dev/shm";

/// Measures and prints.
pub fn compare(house: &House, group: Group, wanted: &Compare) -> Result<(), Failure> {
    let mut program = Program::build(house, group.name())?;
    program.keep(&wanted.only)?;
    if wanted.reference == Reference::Again {
        guest::forget(house, group.name())?;
    }
    let table =
        if wanted.count { count(house, group, &program, wanted)? } else { time(house, group, &program, wanted)? };
    table.print(wanted.json);
    Ok(())
}

/// Instructions on pc: at ring 0 rewritten and trapped, and at ring 3; beside Linux in the same QEMU.
fn count(house: &House, group: Group, program: &Program, wanted: &Compare) -> Result<Table, Failure> {
    let words = words(group.samples()[0]);
    rebuild_image(house, Platform::Pc.name())?;
    let alone = if group == Group::Processes { Some(alone::Alone::pack(house, &program.path)?) } else { None };
    let (root, path) = alone.as_ref().map_or((&[][..], &*program.path), |alone| (&alone.options, &alone.program));
    let root: Vec<&str> = root.iter().map(String::as_str).collect();
    let options = |more: &[&'static str]| [COUNTED, more, &root].concat();
    let options =
        [options(&["--ring", "0"]), options(&["--ring", "0", "--syscalls", "trap"]), options(&["--ring", "3"])];
    let sides = ["ring 0", TRAPPED, "ring 3"].into_iter().zip(&options);
    let mut sides: Vec<Side<'_>> =
        sides.map(|(heading, options)| ours(house, heading, options, path, &words, 1.0)).collect();
    // Each start is the same again, so more rounds would say the same.
    let mut rows = interleave(wanted.rounds.unwrap_or(1), &program.operations, &mut sides, &mut |_| {})?;
    let mut headings: Vec<String> = sides.into_iter().map(|side| side.heading).collect();
    let mut notes = vec!["Instructions in the guest, the kernel's and the program's, under the same QEMU.".to_owned()];
    notes.push(format!("{TRAPPED}: at ring 0 with --syscalls trap, where no call is rewritten."));
    if wanted.reference != Reference::No {
        let linux = guest::figures(house, program, group.name(), &words)?;
        for (operation, row) in program.operations.iter().zip(&mut rows) {
            let reading = linux.readings.iter().find(|(name, _)| name == operation).map(|(_, reading)| reading.clone());
            row.push(reading.map_or_else(Cell::unknown, Cell::of));
        }
        headings.push("Linux".into());
        notes.push(linux.note);
    }
    Ok(Table {
        what: group.name(),
        unit: "instructions per operation",
        reference: (wanted.reference != Reference::No).then_some(3),
        headings,
        rows: program.operations.iter().cloned().zip(rows).collect(),
        notes,
    })
}

/// Nanoseconds on process, beside Linux itself.
fn time(house: &House, group: Group, program: &Program, wanted: &Compare) -> Result<Table, Failure> {
    let mut words = words(group.samples()[1]);
    if wanted.all_processors {
        // The program stays on one by itself.
        words.push("anywhere".into());
    }
    let kilohertz = Host::new(house).tsc_kilohertz();
    let kilohertz = kilohertz.ok_or_else(|| Failure::ours("the time stamp counter of this machine makes no sense"))?;
    let nanoseconds = 1e6 / kilohertz as f64;
    rebuild_image(house, Platform::Process.name())?;
    let process = ["--platform", "process"];
    let trapping = ["--platform", "process", "--syscalls", "trap"];
    let native = group.native().map(|application| house.root.join(application));
    let native = native.filter(|application| application.join("whittle.toml").is_file());
    let mut sides = vec![ours(house, "ours", &process, &program.path, &words, nanoseconds)];
    if group == Group::Calls {
        sides.push(ours(house, TRAPPED, &trapping, &program.path, &words, nanoseconds));
    }
    if group == Group::Sockets {
        sides.push(ours(
            house,
            HOSTS_SOCKETS,
            &["--platform", "process", "--net", "host"],
            &program.path,
            &words,
            nanoseconds,
        ));
    }
    if let Some(native) = &native {
        // The first start builds it, before anything is measured.
        run_within(whittle(house, &["--platform", "process", &native.display().to_string(), "list"])?)?;
        sides.push(ours(house, "ours native", &process, native, &words, nanoseconds));
    }
    let linux = sides.len();
    if wanted.reference != Reference::No {
        sides.push(bare(&program.path, &words, nanoseconds));
    }
    let place = pin::place(wanted.all_processors)?;
    let rounds = wanted.rounds.unwrap_or(ROUNDS);
    let mut tell = |round| eprintln!("whittle: round {} of {rounds}", round + 1);
    let rows = interleave(rounds, &program.operations, &mut sides, &mut tell)?;
    let release = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    Ok(Table {
        what: group.name(),
        unit: "nanoseconds per operation",
        reference: (wanted.reference != Reference::No).then_some(linux),
        headings: sides.into_iter().map(|side| side.heading).collect(),
        rows: program.operations.iter().cloned().zip(rows).collect(),
        notes: notes(
            &format!("Linux {}, {place}, {rounds} rounds in turn.", release.trim()),
            native.and(group.native()),
            group,
        ),
    })
}

/// How to read the table, with the native application that is compared with Linux too.
fn notes(how: &str, native: Option<&str>, group: Group) -> Vec<String> {
    let mut notes = vec![how.to_owned()];
    notes.push("ratio: ours by Linux's, the median of the rounds; 0.02 is 50 times as fast.".into());
    notes.push("ours: the same Linux program inside whittle.".into());
    if group == Group::Calls {
        notes.push(format!("{TRAPPED}: the same with --syscalls trap, where no call is rewritten."));
    }
    if group == Group::Sockets {
        notes.push(format!("{HOSTS_SOCKETS}: the same with --net host, where the loopback is this Linux's."));
        notes.push("getppid: what the way into the kernel takes of each system call.".into());
    }
    if let Some(native) = native {
        notes.push(format!("ours native: {native}, Rust on the kernel's own objects; none: it has no such thing."));
    }
    notes
}

fn words(more: &[&str]) -> Vec<String> {
    more.iter().chain([&FOLDER]).map(|&word| word.to_owned()).collect()
}

/// A side of ours: `whittle run` with these options.
fn ours<'a>(
    house: &'a House,
    heading: &str,
    options: &'a [&'a str],
    program: &'a Path,
    words: &'a [String],
    scale: f64,
) -> Side<'a> {
    let program = program.display().to_string();
    let measure = move |operation: &str| {
        let words = words.iter().map(String::as_str).chain([operation]);
        let all: Vec<&str> = options.iter().copied().chain(["--", &program]).chain(words).collect();
        reading(whittle(house, &all)?, operation, scale)
    };
    Side { heading: heading.into(), measure: Box::new(measure) }
}

/// The program by itself.
fn bare<'a>(program: &'a Path, words: &'a [String], scale: f64) -> Side<'a> {
    let measure = move |operation: &str| {
        let mut command = Command::new(program);
        command.args(words).arg(operation);
        reading(command, operation, scale)
    };
    Side { heading: "Linux".into(), measure: Box::new(measure) }
}

fn reading(command: Command, operation: &str, scale: f64) -> Result<Reading, Failure> {
    let ended = run_within(command)?;
    if let Ended::Badly { status, what } = &ended {
        eprintln!("whittle: {operation}: {status}: {what}");
    }
    Ok(reading_of(ended, operation, scale))
}
