//! What the master wrote and found no room: it is typed when the slave has read.

use alloc::collections::VecDeque;

use crate::termios::InputFlags;
use crate::{Changes, Discipline};

/// Bytes that may wait beside those that were typed ([`crate::INPUT`]). Linux has room for 9 to 18 thousand, by the
/// sizes of writes.
pub const ARRIVING: usize = 12 << 10;

/// Bytes in their order.
#[derive(Default)]
pub(crate) struct Arriving {
    bytes: VecDeque<u8>,
    /// START and STOP among so many of the first ones have been seen.
    pub(crate) seen: usize,
}

impl Arriving {
    pub(crate) fn clear(&mut self) {
        self.bytes.clear();
        self.seen = 0;
    }

    /// Adds as many bytes as there is room for.
    fn extend(&mut self, bytes: &[u8]) -> usize {
        let wanted = bytes.len().min(ARRIVING.saturating_sub(self.bytes.len()));
        if self.bytes.try_reserve(wanted).is_err() {
            return 0;
        }
        self.bytes.extend(&bytes[..wanted]);
        wanted
    }
}

impl Discipline {
    /// The master writes; answers how many bytes were taken. Fewer than all are in raw mode, and where complete lines
    /// wait: the slave must read first.
    pub fn receive(&mut self, bytes: &[u8]) -> usize {
        if self.input.reserve().is_err() {
            return 0;
        }
        self.with_output(|discipline| {
            discipline.take_in_arriving();
            let typed = if discipline.arriving.bytes.is_empty() { discipline.take_in(bytes) } else { 0 };
            let waiting = discipline.arriving.extend(&bytes[typed..]);
            discipline.look_ahead(&bytes[typed..typed + waiting]);
            typed + waiting
        })
    }

    /// Whether the master can write, as poll(2) sees it.
    #[must_use]
    pub fn master_is_writable(&self) -> bool {
        self.arriving.bytes.len() < ARRIVING
    }

    /// START and STOP count though bytes before them wait: else who stopped output could not start it.
    fn look_ahead(&mut self, bytes: &[u8]) {
        if self.attributes.input.contains(InputFlags::IXON) {
            self.arriving.seen += bytes.len();
            for &byte in bytes {
                self.flows(byte, false);
            }
        }
    }

    /// Types what waits, as far as there is room.
    pub(crate) fn take_in_arriving(&mut self) {
        if self.arriving.bytes.is_empty() {
            return;
        }
        let mut bytes = core::mem::take(&mut self.arriving.bytes);
        let typed = self.take_in(bytes.make_contiguous());
        bytes.drain(..typed);
        self.arriving.bytes = bytes;
        if typed > 0 {
            self.changes |= Changes::MASTER_WRITABLE;
        }
    }

    /// Types bytes as far as there is room, and answers how many. A line that is too long loses all that follows up to
    /// its end, for which room is kept.
    fn take_in(&mut self, bytes: &[u8]) -> usize {
        let mut done = 0;
        loop {
            let room = self.input_room();
            let overflows = room <= 0 && self.attributes.is_canonical() && self.input.has_no_line();
            if overflows && room < 0 {
                self.input.drop_last(1);
            }
            let room = if overflows { 1 } else { room.max(0) as usize };
            let count = room.min(bytes.len() - done);
            if count == 0 {
                return done;
            }
            self.type_in(&bytes[done..done + count]);
            done += count;
        }
    }
}
