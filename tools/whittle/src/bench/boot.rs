//! `whittle bench boot`: how large the kernels are, how long a start takes, how little memory is enough.

use std::fmt::Display;
use std::fs;
use std::process::Command;

use serde_json::{Map, Value};

use super::look::look;
use super::start::{ECHO, as_built, figure, run, time_to_output, whittle};
use crate::arguments::{Boot, Platform};
use crate::compose::Place;
use crate::compose::rebuild_image;
use crate::failure::{Doing, Failure};
use crate::house::House;

/// Runs of which the median counts, unless told otherwise.
const TIMES: usize = 21;

/// The machine by itself, which counts the same each time: with the host's files below, waits for the host count too.
const ALONE: [&str; 2] = ["--root", "none"];

/// Prints all figures: a line each as they come, or all as JSON.
pub fn boot(house: &House, wanted: &Boot) -> Result<(), Failure> {
    let mut figures = Figures { json: wanted.json, all: Map::new() };
    sizes(house, &mut figures)?;
    instructions(house, &mut figures)?;
    memory(house, &mut figures)?;
    times(house, wanted.rounds.unwrap_or(TIMES), &mut figures)?;
    for (what, milliseconds) in look(house, wanted.rounds.unwrap_or(TIMES))? {
        figures.line(what, (milliseconds * 100.0).round() / 100.0);
    }
    if wanted.json {
        println!("{:#}", Value::Object(figures.all));
    }
    Ok(())
}

/// Names of figures, which begin with their units, and the figures.
struct Figures {
    json: bool,
    all: Map<String, Value>,
}

impl Figures {
    fn line(&mut self, what: &str, value: impl Display + Into<Value>) {
        if !self.json {
            println!("{what:<66} {value:>10}");
        }
        self.all.insert(what.to_owned(), value.into());
    }
}

fn sizes(house: &House, figures: &mut Figures) -> Result<(), Failure> {
    for platform in [Platform::Pc, Platform::Process] {
        rebuild_image(house, platform.name())?;
        let path = Place::ready(house).image(platform.name());
        let bytes = fs::metadata(&path).doing(format!("read {}", path.display()))?.len();
        figures.line(&format!("bytes, {} kernel, stripped", platform.name()), bytes);
    }
    Ok(())
}

/// The kernel's own figures under a count of instructions.
fn instructions(house: &House, figures: &mut Figures) -> Result<(), Failure> {
    let options = ["--platform", "pc", "--icount", "--ring", "0", "--figures"];
    let words = [&options[..], &ALONE, &["--"], &ECHO].concat();
    let printed = run(whittle(house, &words)?)?;
    let figure = |name: &str| figure(&printed, name);
    let entry = figure("entry")?;
    let since = |moment: u64| moment.saturating_sub(entry);
    figures.line("instructions, entry to the first of busybox echo, pc", since(figure("first")?));
    figures.line("instructions, entry to the exit of busybox echo, pc", since(figure("exit")?));
    Ok(())
}

/// The least memory that runs busybox echo on pc, by bisection in steps of 8 KB.
fn memory(house: &House, figures: &mut Figures) -> Result<(), Failure> {
    let runs = |kilobytes: u64| {
        let memory = format!("{kilobytes}K");
        let options = ["--platform", "pc", "--accel", "tcg", "--memory", &memory];
        let words = [&options[..], &ALONE, &["--"], &ECHO].concat();
        Ok::<_, Failure>(run(whittle(house, &words)?).is_ok_and(|printed| printed.out == "hello\n"))
    };
    let (mut too_little, mut enough) = (1024, 64 << 10);
    if !runs(enough)? {
        return Err(Failure::ours("busybox echo does not run on pc with 64M"));
    }
    while enough - too_little > 8 {
        let middle = u64::midpoint(too_little, enough).next_multiple_of(8);
        *(if runs(middle)? { &mut enough } else { &mut too_little }) = middle;
    }
    figures.line("kilobytes, least memory of busybox echo on pc", enough);
    Ok(())
}

fn times(house: &House, times: usize, figures: &mut Figures) -> Result<(), Failure> {
    let bare = || {
        let mut command = Command::new(ECHO[0]);
        command.args(&ECHO[1..]);
        Ok(command)
    };
    let with = |options: &'static [&'static str], root: &'static [&'static str]| {
        move || {
            let words = [options, root, &["--"], &ECHO].concat();
            whittle(house, &words)
        }
    };
    // Two digits behind the point.
    let milliseconds = |time: std::time::Duration| (time.as_secs_f64() * 1e5).round() / 100.0;
    let native = time_to_output(&bare, times)?;
    figures.line("milliseconds to output, busybox echo by itself", milliseconds(native));
    for (files, root) in [("alone", &ALONE[..]), ("on the host's files", &[])] {
        let start = with(&["--platform", "process"], root);
        let process = time_to_output(&start, times)?;
        figures.line(&format!("milliseconds to output, process, {files}"), milliseconds(process));
        let more = process.saturating_sub(native);
        figures.line(&format!("milliseconds more than by itself, process, {files}"), milliseconds(more));
        let more = time_to_output(&|| start().map(as_built), times)?.saturating_sub(native);
        figures.line(&format!("milliseconds more, WHITTLE_BUILD=never, {files}"), milliseconds(more));
        let emulated = time_to_output(&with(&["--platform", "pc", "--accel", "tcg"], root), times)?;
        figures.line(&format!("milliseconds to output, microvm emulated, {files}"), milliseconds(emulated));
    }
    Ok(())
}
