//! `whittle bench boot -- PROGRAM`: what it takes to a program's first output, beside Linux.

use std::io::Read;
use std::process::{Command, Stdio};
use std::time::Instant;

use serde_json::json;

use super::guest;
use super::program::Program;
use super::rounds::{Cell, Reading, Side, interleave};
use super::start::{as_built, figure, run, whittle};
use super::table::Table;
use crate::arguments::{Boot, Platform};
use crate::compose::rebuild_image;
use crate::failure::{Doing, Failure};
use crate::house::House;

/// Rounds unless told otherwise.
const ROUNDS: usize = 21;
/// The one operation that is measured.
const OPERATION: &str = "first output";

/// Measures and prints.
pub fn first_output(house: &House, wanted: &Boot) -> Result<(), Failure> {
    for platform in [Platform::Pc, Platform::Process] {
        rebuild_image(house, platform.name())?;
    }
    let times = times(house, wanted)?;
    if !wanted.json {
        print!("{}", times.text());
    }
    let instructions = instructions(house, &wanted.program)?;
    if wanted.json {
        println!("{:#}", json!([times.json(), instructions.json()]));
    } else {
        print!("{}", instructions.text());
    }
    Ok(())
}

/// From the start of the command to the first byte, beside the program by itself.
fn times(house: &House, wanted: &Boot) -> Result<Table, Failure> {
    let ours = |options: &'static [&'static str]| {
        let program: Vec<&str> = wanted.program.iter().map(String::as_str).collect();
        move || whittle(house, &[options, &["--"], &program].concat())
    };
    let native = || {
        let mut command = Command::new(&wanted.program[0]);
        command.args(&wanted.program[1..]);
        Ok(command)
    };
    let process = ours(&["--platform", "process"]);
    let unlooked = || process().map(as_built);
    let mut sides = [side("process", &process), side("as built", &unlooked), side("Linux", &native)];
    let operation = [OPERATION.to_owned()];
    // The first of each warms caches.
    interleave(1, &operation, &mut sides, &mut |_| {})?;
    let rounds = wanted.rounds.unwrap_or(ROUNDS);
    let rows = interleave(rounds, &operation, &mut sides, &mut |_| {})?;
    Ok(Table {
        what: "first-output",
        unit: "milliseconds",
        headings: sides.iter().map(|side| side.heading.clone()).collect(),
        reference: Some(2),
        rows: operation.into_iter().zip(rows).collect(),
        notes: vec![
            format!("{}, from the start of the command; {rounds} rounds in turn.", wanted.program.join(" ")),
            "As built: nobody looks whether sources have changed (WHITTLE_BUILD=never).".into(),
        ],
    })
}

/// A side that is measured by the time from the start of what it makes to the first byte.
pub fn side<'a>(heading: &str, make: &'a dyn Fn() -> Result<Command, Failure>) -> Side<'a> {
    let measure = move |_: &str| {
        let mut command = make()?;
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let begin = Instant::now();
        let mut child = command.spawn().doing("start the measured program")?;
        let mut first = [0];
        let read = child.stdout.as_mut().map_or(Ok(()), |output| output.read_exact(&mut first));
        let milliseconds = begin.elapsed().as_secs_f64() * 1e3;
        let status = child.wait().doing("wait for the measured program")?;
        Ok(match read {
            Ok(()) if status.success() => Reading::Samples(vec![milliseconds]),
            Ok(()) => Reading::Missing(format!("status-{}", status.code().unwrap_or_default())),
            Err(_) => Reading::Missing("no-output".into()),
        })
    };
    Side { heading: heading.into(), measure: Box::new(measure) }
}

/// Instructions on pc, from the kernel's first one, beside a Linux guest whose root is the host's files over 9p too.
fn instructions(house: &House, program: &[String]) -> Result<Table, Failure> {
    let memory = format!("{}M", guest::SHARED_MEMORY >> 20);
    let options = ["--platform", "pc", "--icount", "--machine", "q35", "--memory", &memory, "--figures", "--"];
    let words: Vec<&str> = options.into_iter().chain(program.iter().map(String::as_str)).collect();
    let printed = run(whittle(house, &words)?)?;
    let [entry, start, output] = ["entry", "first", "output"].map(|name| figure(&printed, name));
    let (entry, start, output) = (entry? as f64, start? as f64, output? as f64);
    let (linux, note) = guest::first_output(house, &Program::build(house, "share")?, program)?;
    let cell = |figure: Option<f64>| {
        Cell::of(figure.map_or_else(|| Reading::Missing("no-figure".into()), |figure| Reading::Samples(vec![figure])))
    };
    let row = |what: &str, ours: f64, theirs: Option<f64>| (what.to_owned(), vec![cell(Some(ours)), cell(theirs)]);
    let from_start = linux[0].zip(linux[1]).map(|(from, to)| to - from);
    Ok(Table {
        what: "first-output-instructions",
        unit: "instructions",
        headings: vec!["pc".into(), "Linux guest".into()],
        reference: Some(1),
        rows: vec![
            row("kernel's entry to the program's start", start - entry, linux[0].map(|at| at - entry)),
            row("the program's start to its first output", output - start, from_start),
            row("kernel's entry to the program's first output", output - entry, linux[1].map(|at| at - entry)),
        ],
        notes: vec![
            "Both in QEMU's q35, the program from the host's files over 9p; who waits for the host spins, which counts too."
                .into(),
            format!("{note} Of both, {entry} instructions of firmware before whittle's kernel are not counted."),
        ],
    })
}
