//! How one direction of a program keeps its pace.

use packets::Instant;

use super::Pace;

/// Where one direction is in its pace.
#[derive(Clone, Copy, Debug, Default)]
pub struct Turn {
    since_pause: u64,
    /// It does nothing before.
    pub paused_until: Instant,
}

impl Turn {
    /// Counts bytes that have passed, and pauses if it is time.
    pub fn passed(&mut self, now: Instant, pace: &Pace, bytes: usize) {
        self.since_pause += bytes as u64;
        if self.since_pause >= pace.stretch && !pace.pause.is_zero() {
            self.since_pause = 0;
            self.paused_until = now + pace.pause;
        }
    }

    /// Bytes of the next call.
    pub fn room(&self, pace: &Pace) -> usize {
        let left = if pace.pause.is_zero() { u64::MAX } else { pace.stretch - self.since_pause };
        left.min(pace.largest as u64) as usize
    }
}
