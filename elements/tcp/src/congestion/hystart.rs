//! HyStart++: RFC 9406. Slow start ends before it loses, when round trips become longer.

use super::{Acknowledged, Window};

/// RFC 9406, 4.3.
const LEAST_THRESHOLD: u32 = 4_000;
const MOST_THRESHOLD: u32 = 16_000;
const DIVISOR: u32 = 8;
const SAMPLES: u8 = 8;
const GROWTH_DIVISOR: u32 = 4;
const ROUNDS: u8 = 5;

/// What rounds of slow start have shown.
#[derive(Clone, Copy, Debug)]
pub struct HyStart {
    last_shortest: u32,
    shortest: u32,
    /// The shortest one when conservative slow start began.
    baseline: u32,
    samples: u8,
    /// Rounds of conservative slow start still to come; 0: it is the ordinary one.
    conservative: u8,
    credit: u8,
}

impl Default for HyStart {
    fn default() -> Self {
        Self { last_shortest: u32::MAX, shortest: u32::MAX, baseline: u32::MAX, samples: 0, conservative: 0, credit: 0 }
    }
}

impl HyStart {
    /// Grows a window that is in slow start, and ends slow start when it is time. Gives what is left of the segments.
    pub fn acknowledged(&mut self, window: &mut Window, what: &Acknowledged) -> u32 {
        if what.round_ended {
            self.round(window);
            if !window.in_slow_start() {
                return what.segments;
            }
        }
        if let Some(round_trip) = what.round_trip {
            self.shortest = self.shortest.min(round_trip);
            self.samples = self.samples.saturating_add(1);
            self.judge();
        }
        let mut segments = what.segments;
        if self.conservative > 0 {
            let all = segments + u32::from(self.credit);
            segments = all / GROWTH_DIVISOR;
            self.credit = (all % GROWTH_DIVISOR) as u8;
        }
        window.slow_start(segments)
    }

    /// A round begins.
    fn round(&mut self, window: &mut Window) {
        if self.conservative > 0 {
            self.conservative -= 1;
            if self.conservative == 0 {
                window.threshold = window.segments;
            }
        }
        (self.last_shortest, self.shortest, self.samples) = (self.shortest, u32::MAX, 0);
    }

    /// Whether round trips are longer than in the round before; or again as short as before.
    fn judge(&mut self) {
        if self.samples < SAMPLES || self.shortest == u32::MAX {
            return;
        }
        if self.conservative > 0 {
            if self.shortest < self.baseline {
                (self.baseline, self.conservative) = (u32::MAX, 0);
            }
        } else if self.last_shortest != u32::MAX {
            let threshold = (self.last_shortest / DIVISOR).clamp(LEAST_THRESHOLD, MOST_THRESHOLD);
            if self.shortest >= self.last_shortest.saturating_add(threshold) {
                (self.baseline, self.conservative) = (self.shortest, ROUNDS);
            }
        }
    }
}
