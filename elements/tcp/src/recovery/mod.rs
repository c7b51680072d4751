//! What is done about loss: RFC 5681, 6582, 6675, 8985, 9937.

mod prr;
mod rack;
#[cfg(test)]
mod tests;
mod undo;

pub use prr::Reduction;
pub use rack::{DUPLICATES, Rack};
pub use undo::Undo;

use packets::tcp::SequenceNumber;

use crate::info::Phase;

/// What is believed of the last timeout.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Doubt {
    /// Loss was real, or there was none.
    #[default]
    None,
    /// The first segment was sent again, and nothing has come since: step 1.
    Waiting,
    /// New segments go in the place of those that may be lost: step 2 (b).
    Trying,
    /// New segments have gone, and an acknowledgment has not decided it.
    Open,
}

/// The state of recovery of a connection.
#[derive(Clone, Copy, Debug, Default)]
pub struct Recovery {
    pub phase: Phase,
    /// SND.NXT when the phase began: RecoveryPoint.
    pub point: SequenceNumber,
    /// Duplicate acknowledgments, where the other side speaks no SACK.
    pub duplicates: u32,
    pub rack: Rack,
    /// A loss probe that has not been answered: its end, and whether it was sent before (RFC 8985, 7.3).
    pub probe: Option<(SequenceNumber, bool)>,
    /// Whether the last timeout was needless.
    pub doubt: Doubt,
    /// No probe again before this flight has ended: one for each.
    pub probed: bool,
}

/// What a recovery has beside that, made when one begins: few connections lose anything at a time.
#[derive(Debug)]
pub struct Episode<C> {
    pub reduction: Reduction,
    pub undo: Undo,
    /// The policy before it learnt of the loss.
    pub policy: C,
}

impl Recovery {
    pub fn new(start: SequenceNumber) -> Self {
        Self { point: start, rack: Rack::new(start), ..Self::default() }
    }

    /// Whether something is held for lost now.
    pub const fn is_on(&self) -> bool {
        matches!(self.phase, Phase::Recovery | Phase::Loss)
    }
}
