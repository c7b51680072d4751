//! Where packets end: the borders in what is queued and not sent yet.
//!
//! What a program writes is taken in pieces, each as long as a packet may be, and a packet is of one piece. A piece is
//! open until another begins: what is written next joins it. `MSG_EOR` closes it at once. Queues are limited by the
//! memory that packets take on Linux, and not by bytes alone, or one byte in each packet would cost what a page costs.

use alloc::{boxed::Box, collections::VecDeque};

use packets::tcp::SequenceNumber;

/// What a packet takes besides its bytes, as Linux counts it (`sk_buff`, its shared part and a head, each rounded up).
pub const OVERHEAD: usize = 1280;

/// The end of a closed piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Border {
    pub at: SequenceNumber,
    /// The segment that ends here asks to be read soon: PSH.
    pub push: bool,
}

/// The closed pieces that are not all sent, in order. What is behind the last one is the open piece.
#[derive(Debug, Default)]
pub struct Pieces {
    /// Only who writes faster than packets go has one.
    #[expect(clippy::box_collection, reason = "an idle connection has no room for an empty one")]
    closed: Option<Box<VecDeque<Border>>>,
}

impl Pieces {
    #[cfg(test)]
    pub fn footprint(&self) -> usize {
        self.closed.as_ref().map_or(0, |closed| size_of_val(closed) + closed.capacity() * size_of::<Border>())
    }

    fn last(&self) -> Option<&Border> {
        self.closed.as_ref()?.back()
    }

    /// Bytes of the open piece: `next` is the next byte to be sent, `end` is behind the last one.
    pub fn open(&self, next: SequenceNumber, end: SequenceNumber) -> u32 {
        let start = self.last().map_or(next, |border| border.at.later(next));
        if end.is_behind(start) { end - start } else { 0 }
    }

    /// How many pieces are not all sent, the open one among them.
    pub fn count(&self, next: SequenceNumber, end: SequenceNumber) -> usize {
        self.closed.as_ref().map_or(0, |closed| closed.len()) + usize::from(self.open(next, end) > 0)
    }

    /// Nothing joins what is queued any more.
    pub fn close(&mut self, at: SequenceNumber, push: bool) {
        if self.last().is_none_or(|border| border.at.is_before(at)) {
            self.closed.get_or_insert_default().push_back(Border { at, push });
        }
    }

    /// Where the next packet ends at the latest, if that is known yet.
    pub fn first(&self) -> Option<Border> {
        self.closed.as_ref()?.front().copied()
    }

    /// All before `next` has been sent.
    pub fn sent(&mut self, next: SequenceNumber) {
        let Some(closed) = &mut self.closed else { return };
        while closed.pop_front_if(|border| border.at.is_at_most(next)).is_some() {}
    }

    /// Gives memory back if there are none.
    pub fn release(&mut self) {
        self.closed.take_if(|closed| closed.is_empty());
    }
}
