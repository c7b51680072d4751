//! HyStart: S. Ha, I. Rhee, "Taming the elephants", Computer Networks 55 (2011), the half of it that looks at delays.
//!
//! Slow start ends before it loses, when round trips become longer: a queue has begun to fill. Linux does so, and ends
//! slow start at once; RFC 9406 (HyStart++) would go on slowly for five rounds. The other half, trains of
//! acknowledgments, wants a sender that paces.

use super::{Acknowledged, Window};

/// How much longer than the shortest one a round trip must be: an eighth, within these, in microseconds.
const LEAST_THRESHOLD: u32 = 4_000;
const MOST_THRESHOLD: u32 = 16_000;
const DIVISOR: u32 = 8;
/// So many round trips of a round are only looked at.
const SAMPLES: u8 = 8;

/// What a round of slow start has shown.
#[derive(Clone, Copy, Debug)]
pub struct HyStart {
    /// The shortest round trip of the round.
    shortest: u32,
    samples: u8,
}

impl Default for HyStart {
    fn default() -> Self {
        Self { shortest: u32::MAX, samples: 0 }
    }
}

impl HyStart {
    /// Ends slow start of a window that is in it, when it is time.
    pub fn measured(&mut self, window: &mut Window, what: &Acknowledged) {
        if what.round_ended {
            *self = Self::default();
        }
        if window.segments >= super::ROUNDS_FROM && self.is_late(what) {
            window.threshold = window.segments;
        }
    }

    /// Whether all round trips of this round are longer than the path's own.
    fn is_late(&mut self, what: &Acknowledged) -> bool {
        let Some(round_trip) = what.round_trip else { return false };
        self.shortest = self.shortest.min(round_trip);
        if self.samples < SAMPLES {
            self.samples += 1;
            return false;
        }
        let threshold = (what.shortest / DIVISOR).clamp(LEAST_THRESHOLD, MOST_THRESHOLD);
        what.shortest > 0 && self.shortest > what.shortest.saturating_add(threshold)
    }
}
