//! Proportional rate reduction: RFC 9937. The window shrinks as the other side takes segments off the path.

/// One episode. Segments are counted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reduction {
    delivered: u32,
    out: u32,
    /// RecoverFS: what was in flight when it began.
    flight: u32,
}

impl Reduction {
    /// It begins with so many in flight.
    pub fn begin(flight: u32) -> Self {
        Self { delivered: 0, out: 0, flight: flight.max(1) }
    }

    /// Something was sent.
    pub fn sent(&mut self, segments: u32) {
        self.out = self.out.saturating_add(segments);
    }

    /// An acknowledgment delivered segments: the window to go on with. `safe`: it moved the stream on, and shows no
    /// more loss.
    pub fn window(&mut self, delivered: u32, in_flight: u32, threshold: u32, safe: bool) -> u32 {
        self.delivered = self.delivered.saturating_add(delivered);
        let mut count = if in_flight > threshold {
            let share = u64::from(self.delivered) * u64::from(threshold);
            (share.div_ceil(u64::from(self.flight)) as u32).saturating_sub(self.out)
        } else {
            // Slow start, or the conservative bound: RFC 9937, 6.2.
            let count = self.delivered.saturating_sub(self.out).max(delivered) + u32::from(safe);
            count.min(threshold - in_flight)
        };
        if self.out == 0 && count == 0 {
            // The first fast retransmit is never held back.
            count = 1;
        }
        in_flight + count
    }
}
