//! A connection whose SYN has come and whose acknowledgment has not: what a flood makes most of, so it is small.

use core::time::Duration;

use packets::{
    Instant,
    tcp::{Flags, Options, SequenceNumber, Timestamps},
};

use crate::{Handle, tuple::Tuple};

/// The answer is sent so often again, a second later first, and twice as long each time.
pub const TRIES: u8 = 5;

bitflags::bitflags! {
    /// What the SYN said.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Said: u8 {
        const TIMESTAMPS = 1;
        const SACK = 2;
        const SCALED = 4;
        const NOTIFIED = 8;
        const SIZED = 16;
        /// The acknowledgment has come, and the listener waits for data.
        const DEFERRED = 32;
    }
}

/// What is remembered of a SYN.
#[derive(Debug)]
pub struct HalfOpen {
    pub tuple: Tuple,
    /// Its chain in the table.
    pub link: u32,
    pub listener: Handle,
    pub first: SequenceNumber,
    pub theirs: SequenceNumber,
    recent: u32,
    /// When the first answer was sent, in microseconds, modulo 2^32.
    sent: u32,
    size: u16,
    shift: u8,
    pub said: Said,
    pub tries: u8,
}

impl HalfOpen {
    pub fn new(
        tuple: Tuple,
        listener: Handle,
        numbers: (SequenceNumber, SequenceNumber),
        options: &Options,
        notified: bool,
        now: Instant,
    ) -> Self {
        let mut said = Said::empty();
        said.set(Said::TIMESTAMPS, options.timestamps.is_some());
        said.set(Said::SACK, options.sack_permitted);
        said.set(Said::SCALED, options.window_scale.is_some());
        said.set(Said::NOTIFIED, notified);
        said.set(Said::SIZED, options.segment_size.is_some());
        Self {
            tuple,
            link: crate::table::NONE,
            listener,
            first: numbers.0,
            theirs: numbers.1,
            recent: options.timestamps.map_or(0, |clocks| clocks.value),
            sent: now.as_micros() as u32,
            size: options.segment_size.unwrap_or(0),
            shift: options.window_scale.unwrap_or(0),
            said,
            tries: 0,
        }
    }

    /// The options that the SYN had.
    pub fn options(&self) -> Options {
        Options {
            segment_size: self.said.contains(Said::SIZED).then_some(self.size),
            window_scale: self.said.contains(Said::SCALED).then_some(self.shift),
            sack_permitted: self.said.contains(Said::SACK),
            timestamps: self.said.contains(Said::TIMESTAMPS).then_some(Timestamps { value: self.recent, echo: 0 }),
            ..Options::default()
        }
    }

    /// The round trip, if the answer was sent once.
    pub fn round_trip(&self, now: Instant) -> Option<u32> {
        (self.tries == 0).then(|| (now.as_micros() as u32).wrapping_sub(self.sent))
    }

    /// When the answer is sent again.
    pub fn wait(&self) -> Duration {
        Duration::from_secs(1 << self.tries.min(TRIES))
    }
}

/// Whether a SYN asks for congestion notification: RFC 3168, 6.1.1.
pub fn asks_for_notification(flags: Flags) -> bool {
    flags.contains(Flags::ECE | Flags::CWR)
}
