//! `whittle bench compute`: programs that only compute, in whittle on process and on Linux itself.
//!
//! The program prints `compute: NAME SECONDS s ...` for each of its parts. All parts run in each start.

use std::path::Path;
use std::process::Command;

use super::pin;
use super::program::{compile, work_folder};
use super::rounds::{Cell, Reading, turns};
use super::start::{run, whittle};
use super::table::Table;
use crate::arguments::{Compute, Platform};
use crate::compose::rebuild_image;
use crate::failure::Failure;
use crate::house::House;

/// Rounds unless told otherwise.
const ROUNDS: usize = 7;
const OURS: usize = 0;
const LINUX: usize = 1;

/// A row of the table: a part's name, and its cell on each side.
type Row = (String, Vec<Cell>);

/// Measures and prints.
pub fn compute(house: &House, wanted: &Compute) -> Result<(), Failure> {
    let folder = wanted.folder.clone().unwrap_or_else(|| house.root.join("tests/system/programs/compute"));
    let program = work_folder(house)?.join("compute");
    compile(&folder, &program, &["-fopenmp"], &[])?;
    rebuild_image(house, Platform::Process.name())?;
    let processor = pin::stay_on_one()?;
    let rounds = wanted.rounds.unwrap_or(ROUNDS);
    let mut rows = Vec::new();
    for (round, side) in turns(rounds, 2) {
        eprintln!("whittle: round {} of {rounds}, {}", round + 1, ["ours", "Linux"][side]);
        add(&mut rows, side, seconds(&run(command(house, side, &program)?)?.out))?;
    }
    let table = Table {
        what: "compute",
        unit: "milliseconds",
        headings: vec!["ours".into(), "Linux".into()],
        reference: Some(LINUX),
        rows,
        notes: vec![format!("All on processor {processor}, {rounds} rounds in turn.")],
    };
    table.print(wanted.json);
    Ok(())
}

fn command(house: &House, side: usize, program: &Path) -> Result<Command, Failure> {
    if side == OURS {
        return whittle(house, &["--platform", "process", "--", &program.display().to_string()]);
    }
    Ok(Command::new(program))
}

/// Each part's name and seconds.
fn seconds(text: &str) -> Vec<(String, f64)> {
    let line = |line: &str| {
        let mut words = line.strip_prefix("compute: ")?.split(' ');
        let (name, seconds, unit) = (words.next()?, words.next()?, words.next()?);
        (unit == "s").then_some((name.to_owned(), seconds.parse().ok()?))
    };
    text.lines().filter_map(line).collect()
}

fn add(rows: &mut Vec<Row>, side: usize, seconds: Vec<(String, f64)>) -> Result<(), Failure> {
    if seconds.is_empty() {
        return Err(Failure::ours("the program printed no line of the form: compute: NAME SECONDS s"));
    }
    for (name, seconds) in seconds {
        let reading = Reading::Samples(vec![seconds * 1e3]);
        let found = rows.iter().position(|(known, _)| *known == name);
        let row = found.unwrap_or_else(|| {
            rows.push((name, vec![Cell::unknown(), Cell::unknown()]));
            rows.len() - 1
        });
        let cell = &mut rows[row].1[side];
        if *cell == Cell::unknown() { *cell = Cell::of(reading) } else { cell.add(reading) }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "compute: matrix 0.250000 s sum 7\ncompute: sort 1.5 s sum 8\ncompute: matrix 7 sort 8\nother\n";

    #[test]
    fn parts_gather_over_rounds_and_sides() {
        let mut rows = Vec::new();
        add(&mut rows, LINUX, seconds(TEXT)).unwrap();
        add(&mut rows, OURS, vec![("matrix".into(), 0.5)]).unwrap();
        add(&mut rows, OURS, vec![("matrix".into(), 0.25)]).unwrap();
        assert_eq!(rows[0].0, "matrix");
        assert_eq!(rows[0].1[OURS], Cell::Measured { rounds: vec![500.0, 250.0], least: 250.0 });
        assert_eq!(rows[1].1, [Cell::unknown(), Cell::Measured { rounds: vec![1500.0], least: 1500.0 }]);
        assert!(add(&mut rows, OURS, seconds("nothing\n")).is_err());
    }
}
