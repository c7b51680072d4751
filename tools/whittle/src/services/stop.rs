//! `whittle stop`: SIGTERM to the keeper, which hands it on to the program; then time; then force.
//!
//! A process number may be another process's by the time that it is used. So the process is held first (pidfd_open(2)),
//! and then it is looked whether it is still the one.

use std::fs::File;
use std::os::fd::OwnedFd;
use std::thread;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

use super::processes;
use super::record::Stage;
use super::state::{Entry, State};
use crate::arguments::Stop;
use crate::failure::{Doing, Failure, OURS};
use crate::words::Name;

/// What the host needs at the most to end processes by force.
const FORCE: Duration = Duration::from_secs(5);

/// Stops machines, all at once; returns the exit status.
pub fn stop(words: &Stop) -> Result<u8, Failure> {
    let state = State::find()?;
    let grace = Duration::from_secs(words.time.into());
    let told: Vec<Result<String, Failure>> = thread::scope(|scope| {
        let state = &state;
        let stop = |name| scope.spawn(move || stop_one(state, name, grace, words.forget));
        let threads: Vec<_> = words.names.iter().map(stop).collect();
        let lost = || Err(Failure::ours("a thread has ended without a word"));
        threads.into_iter().map(|thread| thread.join().unwrap_or_else(|_| lost())).collect()
    });
    let mut status = 0;
    for sentence in told {
        match sentence {
            Ok(sentence) => println!("{sentence}"),
            Err(failure) => {
                eprintln!("whittle: {failure}");
                status = OURS;
            }
        }
    }
    Ok(status)
}

/// Stops one; what became of it.
fn stop_one(state: &State, name: &Name, grace: Duration, forget: bool) -> Result<String, Failure> {
    let sentence = match held(state, name)? {
        (entry, None) => match entry.record.stage {
            Stage::Ended { status, .. } => format!("{name} had ended with status {status}"),
            _ => format!("{name} had ended"),
        },
        (entry, Some(keeper)) => end(state, &entry, &keeper, grace)?,
    };
    if forget {
        state.forget(name)?;
    }
    Ok(sentence)
}

/// The machine, and its keeper if it lives: whatever process had the number before, this is the one that keeps it.
fn held(state: &State, name: &Name) -> Result<(Entry, Option<OwnedFd>), Failure> {
    loop {
        let entry = state.entry(name)?;
        if !entry.is_kept {
            return Ok((entry, None));
        }
        let keeper = open(entry.record.keeper);
        let again = state.entry(name)?;
        if again.is_kept && again.record.keeper == entry.record.keeper {
            let keeper = keeper.doing(format!("find the process {} of {name}", entry.record.keeper))?;
            return Ok((again, Some(keeper)));
        }
    }
}

fn end(state: &State, entry: &Entry, keeper: &OwnedFd, grace: Duration) -> Result<String, Failure> {
    let name = &entry.name;
    // One that has ended meanwhile needs no signal.
    let _ = pidfd_send_signal(keeper, Signal::TERM);
    if has_ended_within(keeper, grace)? {
        return Ok(match ended(state, name)? {
            Some(status) => format!("{name} ended with status {status}"),
            None => format!("{name} ended"),
        });
    }
    // The keeper is to know that this is no failure.
    let note = state.file(name, "killed");
    File::create(&note).doing(format!("write {}", note.display()))?;
    // It may have been started anew since.
    let machine = state.entry(name)?.record.machine;
    if let Some(machine) = machine.and_then(|machine| child(machine, entry.record.keeper)) {
        let _ = pidfd_send_signal(machine, Signal::KILL);
    }
    if !has_ended_within(keeper, FORCE / 2)? {
        let _ = pidfd_send_signal(keeper, Signal::KILL);
        if !has_ended_within(keeper, FORCE / 2)? {
            return Err(Failure::ours(format!("{name} does not end: process {} is stuck", entry.record.keeper)));
        }
    }
    Ok(format!("{name} did not end within {} s and was killed", grace.as_secs()))
}

/// The status that a machine has ended with, if it is remembered.
fn ended(state: &State, name: &Name) -> Result<Option<u8>, Failure> {
    let entry = state.entries()?.into_iter().find(|entry| entry.name == *name);
    Ok(entry.and_then(|entry| match entry.record.stage {
        Stage::Ended { status, .. } => Some(status),
        _ => None,
    }))
}

fn open(number: u32) -> rustix::io::Result<OwnedFd> {
    let number = i32::try_from(number).ok().and_then(Pid::from_raw).ok_or(rustix::io::Errno::SRCH)?;
    pidfd_open(number, PidfdFlags::empty())
}

/// A process, if it is this one's child: the number may be another's by now.
fn child(number: u32, parent: u32) -> Option<OwnedFd> {
    let process = open(number).ok()?;
    processes::look(number).is_some_and(|seen| seen.parent == parent).then_some(process)
}

/// Waits for a process' end.
fn has_ended_within(process: &OwnedFd, limit: Duration) -> Result<bool, Failure> {
    let until = Instant::now() + limit;
    loop {
        let left = until.saturating_duration_since(Instant::now());
        let left = Timespec { tv_sec: left.as_secs() as i64, tv_nsec: i64::from(left.subsec_nanos()) };
        match poll(&mut [PollFd::new(process, PollFlags::IN)], Some(&left)) {
            Ok(count) => return Ok(count > 0),
            Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error).doing("wait for a process"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn a_process_is_held_until_its_end() {
        let mut sleeper = Command::new("sleep").arg("60").spawn().unwrap();
        let number = sleeper.id();
        assert!(child(number, 1).is_none() || std::process::id() == 1);
        let process = child(number, std::process::id()).unwrap();
        assert!(!has_ended_within(&process, Duration::ZERO).unwrap());
        pidfd_send_signal(&process, Signal::KILL).unwrap();
        assert!(has_ended_within(&process, Duration::from_secs(60)).unwrap());
        sleeper.wait().unwrap();
        assert!(child(number, std::process::id()).is_none());
        assert!(open(0).is_err() && open(u32::MAX).is_err());
    }
}
