//! What a start pays to learn whether sources have changed: with a watcher there, and without one.

use std::process::Command;

use super::first::side;
use super::rounds::{Cell, interleave, median};
use super::start::{ECHO, as_built, run, whittle};
use crate::failure::Failure;
use crate::fresh::is_watching_unwanted;
use crate::house::House;

/// Starts until a watcher must be there: it takes some 20 ms to begin.
const STARTS: usize = 100;

/// Milliseconds of the look, by name: differences between starts next to each other, of which the median counts.
/// Without the first where nobody wants a watcher or none can be.
pub fn look(house: &House, rounds: usize) -> Result<Vec<(&'static str, f64)>, Failure> {
    let start = || whittle(house, &[&["--platform", "process", "--"][..], &ECHO].concat());
    let unwatched = || {
        let mut command = start()?;
        command.env("WHITTLE_WATCH", "never");
        Ok::<Command, Failure>(command)
    };
    let unlooked = || start().map(as_built);
    let mut sides = vec![side("as built", &unlooked), side("unwatched", &unwatched)];
    let mut names = vec!["milliseconds of the look at sources, without a watcher"];
    if is_watched(house)? {
        sides.push(side("watched", &start));
        names.push("milliseconds of the look at sources, with a watcher");
    }
    let rows = interleave(rounds, &["look".to_owned()], &mut sides, &mut |_| {})?;
    let (built, others) = rows[0].split_first().ok_or_else(|| Failure::ours("nothing was measured"))?;
    Ok(names.into_iter().zip(others.iter().map(|cell| more(cell, built))).collect())
}

/// The median of the differences round by round.
fn more(cell: &Cell, reference: &Cell) -> f64 {
    let (Cell::Measured { rounds: ours, .. }, Cell::Measured { rounds: theirs, .. }) = (cell, reference) else {
        return f64::NAN;
    };
    median(ours.iter().zip(theirs).map(|(ours, theirs)| ours - theirs).collect())
}

/// Starts until a watcher answers.
fn is_watched(house: &House) -> Result<bool, Failure> {
    if is_watching_unwanted() {
        return Ok(false);
    }
    for _ in 0..STARTS {
        let words = [&["--platform", "process", "--verbose", "--"][..], &ECHO].concat();
        if run(whittle(house, &words)?)?.err.contains("has watched the sources") {
            return Ok(true);
        }
    }
    Ok(false)
}
