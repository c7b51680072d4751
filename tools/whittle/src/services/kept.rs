//! What a keeper knows of its machine, and shows to others.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::record::{Health, Record, Stage, now};
use super::state::{Claim, State};
use crate::arguments::Run;
use crate::failure::Failure;
use crate::words::{HealthUrl, Name};

/// Seconds between two questions about health, unless told otherwise.
pub const INTERVAL: u16 = 10;

/// What is known.
#[derive(Debug, Default)]
pub struct Kept {
    /// The name under which others find it, if it has one.
    pub claim: Option<Claim>,
    record: Mutex<Record>,
}

impl Kept {
    /// Begins to know something of the machine that this run wants.
    pub fn new(run: &Run) -> Result<Self, Failure> {
        let words = &run.service;
        let program = run.command.first().map(PathBuf::from).unwrap_or_default();
        let program = program.file_name().unwrap_or(program.as_os_str()).to_string_lossy().into_owned();
        let interval = words.health_interval.unwrap_or(INTERVAL);
        let asked = |_: &HealthUrl| Health { is_well: None, told: String::new(), interval };
        let record = Record {
            keeper: std::process::id(),
            since: now(),
            has_log: words.detach,
            health: words.health.as_ref().map(asked),
            program,
            ..Record::default()
        };
        let claim = match &words.name {
            Some(name) => Some(State::find()?.claim(std::iter::once(name.clone()), &record)?),
            None if words.detach => Some(State::find()?.claim(Name::near(&record.program).and_further(), &record)?),
            None => None,
        };
        Ok(Self { claim, record: Mutex::new(record) })
    }

    fn record(&self) -> MutexGuard<'_, Record> {
        self.record.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes what is known, until the end is.
    pub fn change(&self, change: impl FnOnce(&mut Record)) {
        let mut record = self.record();
        if matches!(record.stage, Stage::Ended { .. }) {
            return;
        }
        let before = record.clone();
        change(&mut record);
        if let Some(claim) = self.claim.as_ref().filter(|_| *record != before) {
            // What cannot be written stays as it was: the machine is more than its record.
            let _ = claim.write(&record);
        }
    }

    /// Whether somebody ended it by force, who waited for its end in vain.
    pub fn was_killed(&self) -> bool {
        self.claim.as_ref().is_some_and(|claim| claim.file("killed").exists())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_does_not_change_behind_the_end() {
        let kept = Kept::default();
        kept.change(|record| record.restarts = 1);
        kept.change(|record| record.stage = Stage::Ended { status: 1, at: 1 });
        kept.change(|record| record.restarts = 2);
        assert_eq!(kept.record().restarts, 1);
        assert!(!kept.was_killed());
    }
}
