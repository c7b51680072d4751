//! How large the receive window is: RFC 9293, 3.8.6; it grows with what the reader takes in a round trip.

use packets::Instant;

/// How the limit of a receive queue tunes itself (dynamic right-sizing; W. Feng et al., 2001; as Linux does).
#[derive(Clone, Copy, Debug, Default)]
pub struct Tuning {
    /// Bytes that the reader took since `since`.
    taken: u32,
    /// The most that it took in one round trip so far.
    most: u32,
    since: Instant,
}

impl Tuning {
    /// The reader has taken bytes. Once per round trip it says which limit the queue should have.
    pub fn taken(&mut self, bytes: u32, now: Instant, round_trip: u32) -> Option<u32> {
        self.taken = self.taken.saturating_add(bytes);
        let span = now.micros_since(self.since).max(1);
        if round_trip == 0 || span < u64::from(round_trip) {
            return None;
        }
        // A reader that sleeps over many round trips has not taken all that in one.
        let in_one = u64::from(self.taken) * u64::from(round_trip) / span;
        let (before, in_one) = (self.most, u32::try_from(in_one).unwrap_or(u32::MAX));
        (self.taken, self.since) = (0, now);
        if in_one <= before {
            return None;
        }
        self.most = in_one;
        // Twice what a round trip brings, for slow start doubles it, and more when it grows still.
        let growth = (in_one - before).saturating_mul(2);
        Some(in_one.saturating_mul(2).saturating_add(growth).saturating_add(16 * 1460))
    }
}

/// The window to offer: `space` bytes are free of `limit`, `offered` are left of what was offered before. It never
/// shrinks, and grows in steps that are worth a segment (RFC 9293, 3.8.6.2.2).
pub fn select(space: u32, limit: u32, offered: u32, segment: u32) -> u32 {
    let step = segment.min(limit / 2).max(1);
    if space >= offered.saturating_add(step) { space } else { offered }
}
