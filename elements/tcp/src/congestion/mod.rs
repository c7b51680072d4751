//! How much may be on its way at once: RFC 5681, and the policies that fill it in.
//!
//! A policy is a type, so an image has one. Windows are counted in segments, spans in microseconds, and all is
//! integers.

mod cubic;
mod hystart;
mod new_reno;
#[cfg(test)]
mod tests;

pub use cubic::Cubic;
pub use new_reno::NewReno;

/// The congestion window, which policies move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Segments that may be on their way.
    pub segments: u32,
    /// Below it the window grows by what is acknowledged, above it by the policy.
    pub threshold: u32,
    /// Segments acknowledged towards the next segment of the window.
    pub credit: u32,
}

/// RFC 6928: about ten segments at first.
pub const FIRST: u32 = 10;
/// Rounds of slow start are told apart from so many segments on: shorter ones have too few round trips to tell
/// anything.
pub const ROUNDS_FROM: u32 = 16;
/// A window that nothing outgrows, so that sums of two fit.
pub const MOST: u32 = 1 << 24;

impl Default for Window {
    fn default() -> Self {
        Self { segments: FIRST, threshold: u32::MAX, credit: 0 }
    }
}

impl Window {
    /// Whether it grows by what is acknowledged.
    #[must_use]
    pub const fn in_slow_start(&self) -> bool {
        self.segments < self.threshold
    }

    /// Slow start by as many segments as were acknowledged, and what is left of them beyond the threshold. A segment
    /// counts once, however many acknowledgments it takes: RFC 3465, with its L without a limit, as RFC 9406 wants it.
    pub fn slow_start(&mut self, acknowledged: u32) -> u32 {
        let room = self.threshold.saturating_sub(self.segments).min(MOST - self.segments.min(MOST));
        let count = acknowledged.min(room);
        self.segments += count;
        acknowledged - count
    }

    /// One segment more for each `per` that were acknowledged: RFC 5681, 3.1 with RFC 3465.
    pub fn avoid(&mut self, acknowledged: u32, per: u32) {
        let per = per.max(1);
        if self.credit >= per {
            // It has become smaller: what was collected is worth one.
            self.segments = self.segments.saturating_add(1).min(MOST);
            self.credit = 0;
        }
        self.credit = self.credit.saturating_add(acknowledged);
        let more = self.credit / per;
        self.credit %= per;
        self.segments = self.segments.saturating_add(more).min(MOST);
    }
}

/// What an acknowledgment tells a policy.
#[derive(Clone, Copy, Debug, Default)]
pub struct Acknowledged {
    /// Segments that it acknowledged, first of all or by SACK.
    pub segments: u32,
    /// Its round trip, if it gave one.
    pub round_trip: Option<u32>,
    /// The shortest round trip of late, or 0.
    pub shortest: u32,
    /// The moment.
    pub now: u64,
    /// A round has ended: what was sent when it began is acknowledged.
    pub round_ended: bool,
}

/// A way to move the window.
pub trait Congestion: Clone + core::fmt::Debug + Default {
    /// As `TCP_CONGESTION` and `/proc` name it.
    const NAME: &'static str;

    /// Something was acknowledged, whatever held the sender back: what a policy learns of round trips. It comes before
    /// [`Congestion::acknowledged`].
    fn measured(&mut self, _window: &mut Window, _what: &Acknowledged) {}

    /// Something was acknowledged, and the window was what held the sender back.
    fn acknowledged(&mut self, window: &mut Window, what: &Acknowledged);

    /// Something was lost: the threshold to go on with. Called once for each window of data.
    fn lost(&mut self, window: &Window, in_flight: u32) -> u32;

    /// A timeout: as lost, and the network may be another one.
    fn timed_out(&mut self, window: &Window, in_flight: u32) -> u32;

    /// Nothing was on its way for a while, in nanoseconds: the moment when it goes on.
    fn resumed(&mut self, now: u64, idle: u64);
}
