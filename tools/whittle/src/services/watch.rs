//! What a keeper does while its machine runs, in a thread beside the machine's console: telling that the service is
//! ready, asking how well it is, and keeping its log short.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::kept::Kept;
use super::ready::Readiness;
use super::record::Health;
use super::{health, log, notify};
use crate::failure::plain;
use crate::machine::Monitor;
use crate::words::HealthUrl;

/// Between two looks whether a service is ready.
const READY: Duration = Duration::from_millis(50);
/// Between two questions before a program has answered for the first time.
const STARTING: Duration = Duration::from_millis(250);
/// Between two looks at the log's length, ...
const LOG: Duration = Duration::from_secs(1);
/// ... and while it is too long again and again: what a program can print in a second is more than some folders hold.
const FLOOD: Duration = Duration::from_millis(50);
/// So many questions in a row without a good answer are no chance.
const UNWELL: u32 = 3;

/// What the keeper says.
enum Word {
    Begun(Readiness, Option<Monitor>),
    Ended,
}

/// The thread. It ends when this value goes.
#[derive(Debug)]
pub struct Watch {
    words: Sender<Word>,
}

impl Watch {
    /// Begins to watch.
    pub fn begin(kept: Arc<Kept>, log: Option<PathBuf>, health: Option<(HealthUrl, Duration)>) -> Self {
        let (words, heard) = channel();
        let log = log.and_then(|path| log::open(&path).ok());
        let health =
            health.map(|(url, interval)| Asked { url, interval, next: Instant::now(), bad: 0, was_well: false });
        let watcher = Watcher { kept, heard, log: log.map(|file| (file, Instant::now() + LOG)), health, machine: None };
        if let Err(error) = thread::Builder::new().spawn(|| watcher.watch()) {
            eprintln!("whittle: nobody looks how well the program is: {}", plain(&error));
        }
        Self { words }
    }

    /// A machine has started.
    pub fn begun(&self, readiness: Readiness, monitor: Option<Monitor>) {
        // The thread listens until this value goes.
        let _ = self.words.send(Word::Begun(readiness, monitor));
    }

    /// It has ended.
    pub fn ended(&self) {
        let _ = self.words.send(Word::Ended);
    }
}

struct Watcher {
    kept: Arc<Kept>,
    heard: Receiver<Word>,
    /// The log, and when its length is looked at next.
    log: Option<(std::fs::File, Instant)>,
    health: Option<Asked>,
    machine: Option<Machine>,
}

/// The machine that runs.
struct Machine {
    readiness: Readiness,
    monitor: Option<Monitor>,
    /// When to look whether it is ready; never again once it is.
    next: Option<Instant>,
}

/// Questions about health.
struct Asked {
    url: HealthUrl,
    interval: Duration,
    next: Instant,
    /// Without a good answer, in a row.
    bad: u32,
    was_well: bool,
}

impl Watcher {
    fn watch(mut self) {
        let mut is_ready = !notify::is_wanted();
        loop {
            match self.hear() {
                Err(RecvTimeoutError::Disconnected) => return,
                Err(RecvTimeoutError::Timeout) => {}
                Ok(Word::Ended) => self.machine = None,
                Ok(Word::Begun(readiness, monitor)) => self.begun(Machine { readiness, monitor, next: None }, is_ready),
            }
            self.shorten();
            let is_well = self.ask();
            if !is_ready && self.is_ready(is_well) {
                notify::ready();
                is_ready = true;
            }
        }
    }

    /// Waits for a word, or until something is due.
    fn hear(&self) -> Result<Word, RecvTimeoutError> {
        let machine = self.machine.as_ref();
        let health = machine.and(self.health.as_ref()).map(|health| health.next);
        let log = self.log.as_ref().map(|(_, next)| *next);
        let due = [machine.and_then(|machine| machine.next), health, log].into_iter().flatten().min();
        match due {
            Some(due) => self.heard.recv_timeout(due.saturating_duration_since(Instant::now())),
            None => self.heard.recv().map_err(|_| RecvTimeoutError::Disconnected),
        }
    }

    fn begun(&mut self, mut machine: Machine, is_ready: bool) {
        let now = Instant::now();
        machine.next = (!is_ready).then_some(now);
        self.machine = Some(machine);
        if let Some(health) = &mut self.health {
            (health.next, health.bad, health.was_well) = (now, 0, false);
        }
    }

    fn shorten(&mut self) {
        if let Some((log, next)) = self.log.as_mut().filter(|(_, next)| *next <= Instant::now()) {
            // Where the file system has no holes it stays long.
            let was_long = log::shorten(log).unwrap_or(false);
            *next = Instant::now() + if was_long { FLOOD } else { LOG };
        }
    }

    /// Asks the program how well it is, if it is time to; whether it was well when it was asked last.
    fn ask(&mut self) -> bool {
        let (Some(asked), Some(_)) = (&mut self.health, &self.machine) else { return false };
        if asked.next > Instant::now() {
            return asked.was_well && asked.bad == 0;
        }
        let (is_good, told) = health::ask(&asked.url);
        let found = asked.take(is_good, told);
        self.kept.change(|record| record.health = Some(found));
        is_good
    }

    /// Whether the service can be used.
    fn is_ready(&mut self, is_well: bool) -> bool {
        let Some(machine) = self.machine.as_mut().filter(|machine| machine.next.is_some()) else { return false };
        let is_ready = machine.readiness.is_reached(is_well, &mut machine.monitor);
        machine.next = (!is_ready).then(|| Instant::now() + READY);
        is_ready
    }
}

impl Asked {
    /// What an answer makes known. One that is not good may be chance, but not before the first that is.
    fn take(&mut self, is_good: bool, told: String) -> Health {
        self.bad = if is_good { 0 } else { self.bad.saturating_add(1) };
        let (was_well, is_unwell) = (self.was_well, self.bad >= UNWELL);
        self.was_well |= is_good;
        let pause = if self.was_well { self.interval } else { STARTING.min(self.interval) };
        self.next = Instant::now() + pause;
        if was_well && self.bad == UNWELL {
            eprintln!("whittle: the program is not well: {} answers {told}", self.url.authority);
        }
        let is_well = self.was_well.then_some(!is_unwell);
        Health { is_well, told, interval: self.interval.as_secs() as u16 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_unwell_after_some_bad_answers_in_a_row() {
        let url = "http://127.0.0.1:1/".parse().unwrap();
        let interval = Duration::from_secs(7);
        let mut asked = Asked { url, interval, next: Instant::now(), bad: 0, was_well: false };
        let mut well = |is_good| asked.take(is_good, String::new()).is_well;
        assert_eq!([false; 5].map(&mut well), [None; 5], "it has not started yet");
        assert_eq!([true, false, false, true].map(&mut well), [Some(true); 4]);
        assert_eq!([false, false, false, false].map(&mut well), [Some(true), Some(true), Some(false), Some(false)]);
        assert_eq!(well(true), Some(true));
    }
}
