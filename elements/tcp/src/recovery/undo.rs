//! Taking a reduction back when nothing was lost: RFC 3522 (Eifel, by timestamps), RFC 3708 (by duplicate SACKs).

use packets::tcp::SequenceNumber;

use crate::congestion::Window;

/// What there was before a reduction.
#[derive(Clone, Copy, Debug, Default)]
pub struct Undo {
    /// SND.UNA when it began; none: there is nothing to take back.
    marker: Option<SequenceNumber>,
    window: u32,
    threshold: u32,
    /// Retransmissions that no duplicate has accounted for yet.
    retransmissions: i32,
    /// The clock of the first retransmission.
    clock: Option<u32>,
}

impl Undo {
    /// A reduction begins.
    pub fn begin(una: SequenceNumber, window: &Window) -> Self {
        Self { marker: Some(una), window: window.segments, threshold: window.threshold, ..Self::default() }
    }

    /// Something was sent again, at `clock` of ours.
    pub fn retransmitted(&mut self, segments: u32, clock: u32) {
        if self.marker.is_some() {
            self.retransmissions = self.retransmissions.saturating_add_unsigned(segments);
            self.clock.get_or_insert(clock);
        }
    }

    /// SACK told that a segment came twice.
    pub fn duplicated(&mut self, from: SequenceNumber, segments: u32) {
        if self.marker.is_some_and(|marker| marker.is_at_most(from)) {
            self.retransmissions = self.retransmissions.saturating_sub_unsigned(segments);
        }
    }

    /// Whether nothing was lost: an acknowledgment answers what was sent before the first retransmission, or each
    /// retransmission came twice.
    pub fn is_due(&self, echo: Option<u32>) -> bool {
        let first = matches!((self.clock, echo), (Some(clock), Some(echo)) if (echo.wrapping_sub(clock) as i32) < 0);
        self.marker.is_some() && (first || self.clock.is_some() && self.retransmissions <= 0)
    }

    /// The window and threshold of before.
    pub fn take(&mut self) -> (u32, u32) {
        let old = core::mem::take(self);
        (old.window, old.threshold)
    }
}
