//! What is known of a named machine. Its keeper writes it down, and the verbs read it.

use std::fs;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

/// A machine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Record {
    /// Its platform, once that is known.
    pub platform: String,
    /// The program's name.
    pub program: String,
    /// The process that keeps it, and takes its signals.
    pub keeper: u32,
    /// The process that it is.
    pub machine: Option<u32>,
    /// When its keeper began, in seconds since 1970.
    pub since: u64,
    /// Its published ports.
    pub published: Vec<String>,
    /// Its TAP device, whose packets the host counts.
    pub tap: Option<String>,
    /// The file with the keeper's number.
    pub pid_file: Option<String>,
    /// Whether what it prints goes to a log of its own.
    pub has_log: bool,
    /// How often it was started anew.
    pub restarts: u32,
    /// How it is.
    pub stage: Stage,
    /// What was found when it was asked whether it is well.
    pub health: Option<Health>,
}

/// How far a machine is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// It is about to be started.
    #[default]
    Starting,
    /// It runs.
    Running,
    /// It has failed, and is started anew after a pause.
    Pausing,
    /// It has ended.
    Ended {
        /// Its exit status.
        status: u8,
        /// When, in seconds since 1970.
        at: u64,
    },
}

/// How well a program is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Health {
    /// Nothing, before it has answered for the first time.
    pub is_well: Option<bool>,
    /// What it answered last, or why it did not.
    pub told: String,
    /// Seconds between two questions.
    pub interval: u16,
}

impl Record {
    /// Reads one; nothing if it makes no sense.
    #[must_use]
    pub fn read(path: &Path) -> Option<Self> {
        serde_json::from_slice(&fs::read(path).ok()?).ok()
    }

    /// The text of the file.
    #[must_use]
    pub fn text(&self) -> String {
        // Nothing in it can fail to be JSON.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// How long ago it began, for people.
    #[must_use]
    pub fn age(&self) -> String {
        duration(now().saturating_sub(self.since))
    }
}

impl Health {
    /// For people.
    #[must_use]
    pub fn sentence(&self) -> String {
        let Self { is_well, told, interval } = self;
        match is_well {
            None if told.is_empty() => "not asked yet".into(),
            None => format!("starting: {told}"),
            Some(true) => format!("well: {told}, every {interval} s"),
            Some(false) => format!("unwell: {told}"),
        }
    }
}

/// Seconds since 1970.
#[must_use]
pub fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// Seconds in the largest unit that they fill.
#[must_use]
pub fn duration(seconds: u64) -> String {
    let units = [(86_400, "days"), (3600, "h"), (60, "min")];
    let unit = units.into_iter().find(|(unit, _)| seconds >= 2 * unit);
    unit.map_or_else(|| format!("{seconds} s"), |(unit, name)| format!("{} {name}", seconds / unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_read_as_it_was_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("record.json");
        let health = Health { is_well: Some(true), told: "200".into(), interval: 10 };
        let stage = Stage::Ended { status: 3, at: 5 };
        let record =
            Record { platform: "pc".into(), machine: Some(7), stage, health: Some(health), ..Record::default() };
        fs::write(&path, record.text()).unwrap();
        assert_eq!(Record::read(&path), Some(record));
        // A version that knows less has written it.
        fs::write(&path, "{\"program\":\"x\",\"keeper\":1}").unwrap();
        assert_eq!(Record::read(&path).map(|record| (record.program, record.keeper)), Some(("x".into(), 1)));
        for wrong in ["", "{", "7", "{\"keeper\":-1}", "{\"stage\":\"flying\"}"] {
            fs::write(&path, wrong).unwrap();
            assert_eq!(Record::read(&path), None, "{wrong:?}");
        }
    }

    #[test]
    fn people_are_told_in_words() {
        let times = [0, 119, 120, 7199, 7200, 172_799, 172_800].map(duration);
        assert_eq!(times, ["0 s", "119 s", "2 min", "119 min", "2 h", "47 h", "2 days"]);
        let health = |is_well, told: &str| Health { is_well, told: told.into(), interval: 9 }.sentence();
        assert_eq!(health(Some(true), "200"), "well: 200, every 9 s");
        assert_eq!(health(Some(false), "connection refused"), "unwell: connection refused");
        assert_eq!((&*health(None, ""), &*health(None, "x")), ("not asked yet", "starting: x"));
    }
}
