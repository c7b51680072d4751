//! `whittle logs`: what a machine in the background has printed, and goes on to print.

use std::io::{BufRead, Write, stdout};
use std::thread;
use std::time::Duration;

use super::log;
use super::state::State;
use crate::arguments::Logs;
use crate::failure::{Doing, Failure};

/// Between two looks for more.
const PAUSE: Duration = Duration::from_millis(100);

/// Prints the log, to its end, or to the machine's.
pub fn logs(words: &Logs) -> Result<(), Failure> {
    let (state, name) = (State::find()?, &words.name);
    let entry = state.entry(name)?;
    if !entry.record.has_log {
        let sentence = format!("{name} was started without --detach: it prints where whoever started it sees it");
        return Err(Failure::ours(sentence));
    }
    let path = state.file(name, log::FILE);
    let mut log = log::read(&path).doing(format!("read {}", path.display()))?;
    loop {
        // Asked before the last look, or what was printed between would be missed.
        let goes_on = words.follow && is_same(&state, words, entry.record.keeper)?;
        let is_wanted = print(&mut log).doing(format!("read {}", path.display()))?;
        if !goes_on || !is_wanted {
            return Ok(());
        }
        thread::sleep(PAUSE);
    }
}

/// Whether the machine still runs: another may have its name by now.
fn is_same(state: &State, words: &Logs, keeper: u32) -> Result<bool, Failure> {
    let entries = state.entries()?;
    let is_it =
        |entry: &super::state::Entry| entry.name == words.name && entry.is_kept && entry.record.keeper == keeper;
    Ok(entries.iter().any(is_it))
}

/// Prints what is there; whether somebody reads it.
fn print(log: &mut impl BufRead) -> std::io::Result<bool> {
    loop {
        let part = log.fill_buf()?;
        if part.is_empty() {
            return Ok(stdout().flush().is_ok());
        }
        // Whoever does not read to the end has read enough.
        if stdout().write_all(part).is_err() {
            return Ok(false);
        }
        let length = part.len();
        log.consume(length);
    }
}
