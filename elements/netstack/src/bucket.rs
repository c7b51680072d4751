//! A limit on how often something is done: a token bucket.

use core::time::Duration;

use packets::Instant;

/// So many at once, and one more each `interval`.
#[derive(Clone, Debug)]
pub struct Bucket {
    interval: Duration,
    most: u32,
    left: u32,
    since: Instant,
}

impl Bucket {
    /// A full one that takes `per_second`, and `most` at once.
    #[must_use]
    pub const fn new(per_second: u32, most: u32) -> Self {
        let interval = Duration::from_nanos(1_000_000_000 / per_second as u64);
        Self { interval, most, left: most, since: Instant::from_nanos(0) }
    }

    /// Takes so many tokens; `false` if they are not there, and none is taken.
    pub fn take(&mut self, now: Instant, tokens: u32) -> bool {
        let new = now.since(self.since).as_nanos() / self.interval.as_nanos();
        if new >= u128::from(self.most) {
            (self.left, self.since) = (self.most, now);
        } else {
            self.left = self.most.min(self.left + new as u32);
            self.since += self.interval * new as u32;
        }
        let enough = self.left >= tokens;
        self.left -= if enough { tokens } else { 0 };
        enough
    }
}
