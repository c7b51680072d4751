//! Moments in the life of what a program has written: `SO_TIMESTAMPING`, of Linux'
//! Documentation/networking/timestamping.rst.

use packets::Instant;

bitflags::bitflags! {
    /// Of which moments a program wants to be told.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct Moments: u8 {
        /// The last byte of a write was handed to what is below TCP (`SOF_TIMESTAMPING_TX_SCHED`).
        const SCHEDULED = 1;
        /// And to the device (`SOF_TIMESTAMPING_TX_SOFTWARE`). Nothing holds packets back between both.
        const SENT = 2;
        /// The other side has acknowledged it (`SOF_TIMESTAMPING_TX_ACK`).
        const ACKNOWLEDGED = 4;
    }
}

/// A moment in the life of a byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// Which of them.
    pub moment: Moments,
    /// When it was.
    pub at: Instant,
    /// The byte: the first one that was written after the first moment was asked for is 0.
    pub byte: u32,
}
