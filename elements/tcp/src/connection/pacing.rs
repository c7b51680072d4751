//! Pacing: packets leave one after another over a round trip, and not in clumps. As Linux does it: the pace is that of
//! the window, twice as fast in slow start, and the first ten segments are not held back.

use core::time::Duration;

use packets::Instant;

use super::{Connection, Marks};
use crate::{
    congestion::{Congestion, FIRST},
    context::Context,
};

/// What a connection that paces keeps.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pace {
    /// When the next packet may leave.
    departure: Instant,
    /// Segments that were sent, as long as they are few.
    sent: u32,
}

impl<C> Connection<C> {
    /// When the next packet may leave.
    pub fn departure(&self) -> Instant {
        self.rare.as_deref().map_or(Instant::default(), |rare| rare.pace.departure)
    }
}

impl<C: Congestion> Connection<C> {
    /// How much faster than the window, in hundredths: Linux' `tcp_pacing_ss_ratio` and `tcp_pacing_ca_ratio`.
    pub const fn pacing_ratio(&self) -> u64 {
        let window = &self.send.congestion;
        if window.segments < window.threshold / 2 { 200 } else { 120 }
    }

    /// Whether the next packet has to wait for its moment; its timer is set then.
    pub fn waits_for_pace(&mut self, cx: &Context<'_>) -> bool {
        if self.settings.pacing.is_none() {
            return false;
        }
        let waits = self.departure() > cx.now;
        self.marks.set(Marks::PACED, waits);
        waits
    }

    /// So many bytes have left. Who comes late may be half a packet early with the next.
    pub fn note_pace(&mut self, cx: &Context<'_>, bytes: u32, segments: u32) {
        let (Some(most), round_trip) = (self.settings.pacing, self.send.round_trip.smoothed()) else { return };
        let window = self.send.congestion.segments.max(self.send.records.sent);
        let micros = u64::from(round_trip.max(1)) * 100;
        let rate = u64::from(window) * u64::from(self.send.size) * self.pacing_ratio() * 1_000_000 / micros;
        let rate = if round_trip == 0 { most } else { rate.min(most) }.max(1);
        let span = Duration::from_nanos((u128::from(bytes) * 1_000_000_000 / u128::from(rate)) as u64);
        let pace = &mut self.rare().pace;
        let idle = if pace.departure < cx.now { cx.now.since(pace.departure) } else { Duration::ZERO };
        let begun = pace.departure.max(cx.now);
        pace.sent = pace.sent.saturating_add(segments);
        pace.departure = if pace.sent >= FIRST { begun + (span - idle.min(span / 2)) } else { begun };
    }
}
