//! How long to wait before a machine is started anew.

use std::time::Duration;

use crate::words::Restart;

/// The first pause. Each further one is twice as long ...
const SHORTEST: Duration = Duration::from_millis(100);
/// ... up to this.
const LONGEST: Duration = Duration::from_secs(30);
/// A machine that has run for this long is well again: its next failure counts as the first.
const WELL: Duration = Duration::from_secs(60);

/// The failures of a machine in a row.
#[derive(Clone, Copy, Debug)]
pub struct Pauses {
    restart: Option<Restart>,
    failures: u32,
}

impl Pauses {
    /// For who is to be started anew as often as this.
    #[must_use]
    pub const fn new(restart: Option<Restart>) -> Self {
        Self { restart, failures: 0 }
    }

    /// The pause behind a failure of a machine that has run for this long; nothing if it is the last one.
    pub fn next(&mut self, ran: Duration) -> Option<Duration> {
        if ran >= WELL {
            self.failures = 0;
        }
        let most = self.restart?.most.unwrap_or(u32::MAX);
        if self.failures >= most {
            return None;
        }
        let pause = SHORTEST.saturating_mul(1 << self.failures.min(16)).min(LONGEST);
        self.failures = self.failures.saturating_add(1);
        Some(pause)
    }

    /// Which start in a row the next one is, of how many, for people.
    #[must_use]
    pub fn count(&self) -> String {
        match self.restart.and_then(|restart| restart.most) {
            Some(most) => format!("{} of {most}", self.failures),
            None => self.failures.to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_up_to_a_bound() {
        let mut pauses = Pauses::new(Some(Restart { most: None }));
        let waits: Vec<u128> =
            (0..12).filter_map(|_| pauses.next(Duration::ZERO)).map(|wait| wait.as_millis()).collect();
        assert_eq!(waits, [100, 200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000, 30_000]);
        assert_eq!(pauses.count(), "12");
        assert_eq!(pauses.next(WELL), Some(SHORTEST));
        pauses.failures = u32::MAX;
        assert_eq!(pauses.next(Duration::ZERO), None);
    }

    #[test]
    fn nobody_is_started_anew_more_often_than_asked() {
        assert_eq!(Pauses::new(None).next(Duration::ZERO), None);
        assert_eq!(Pauses::new(Some(Restart { most: Some(0) })).next(Duration::ZERO), None);
        let mut pauses = Pauses::new(Some(Restart { most: Some(2) }));
        assert!(pauses.next(Duration::ZERO).is_some() && pauses.next(Duration::ZERO).is_some());
        assert_eq!(pauses.count(), "2 of 2");
        assert_eq!(pauses.next(Duration::ZERO), None);
        assert!(pauses.next(WELL).is_some(), "a machine that was well may fail again");
    }
}
