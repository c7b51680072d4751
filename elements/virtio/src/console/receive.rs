//! The receiving half: a handful of buffers that always lie ready.

use super::{RECEIVE_BUFFER, RECEIVE_BUFFERS};
use crate::{
    Shared,
    queue::{Areas, Broken, Queue, Segment},
};

/// Buffers that are offered at the start: most programs that end soon get no input at all, and each shows in a boot.
const FIRST: u32 = 2;

#[derive(Debug)]
pub(super) struct Receive {
    queue: Queue<RECEIVE_BUFFERS>,
    buffers: Shared,
    /// Those behind it are still to be offered.
    offered: u32,
}

impl Receive {
    pub(super) fn new(queue: &Shared, buffers: Shared) -> Option<Self> {
        Some(Self { queue: Queue::new(queue)?, buffers, offered: 0 })
    }

    pub(super) const fn areas(&self) -> &Areas {
        self.queue.areas()
    }

    /// Offers what does until something arrives.
    pub(super) fn offer_first(&mut self) {
        self.offer_to(FIRST);
    }

    fn offer_to(&mut self, end: u32) {
        while self.offered < end {
            self.offer(self.offered);
            self.offered += 1;
        }
    }

    /// Offers a buffer; the queue has one descriptor for each, so there is always room.
    fn offer(&mut self, index: u32) {
        if let Some(buffer) = self.buffer(index) {
            let _ = self.queue.add(&Segment::Writable(buffer), None, index);
        }
    }

    fn buffer(&self, index: u32) -> Option<Shared> {
        self.buffers.part(index as usize * RECEIVE_BUFFER, RECEIVE_BUFFER)
    }

    pub(super) fn has_news(&self) -> bool {
        self.queue.has_used()
    }

    pub(super) fn wants_notification(&self) -> bool {
        self.queue.wants_notification()
    }

    /// Returns the pieces given to `take`, and whether there are more.
    pub(super) fn receive(
        &mut self,
        staging: &mut [u8; RECEIVE_BUFFER],
        mut take: impl FnMut(&[u8]),
    ) -> Result<(usize, bool), Broken> {
        for pieces in 0..RECEIVE_BUFFERS {
            let Some(used) = self.queue.take_used()? else { return Ok((pieces, false)) };
            self.offer_to(RECEIVE_BUFFERS as u32);
            // `written` is at most the buffer's length, which is the staging's.
            let length = (used.written as usize).min(RECEIVE_BUFFER);
            let piece = &mut staging[..length];
            if let Some(buffer) = self.buffer(used.cookie) {
                buffer.read(0, piece);
                take(piece);
            }
            self.offer(used.cookie);
        }
        Ok((RECEIVE_BUFFERS, self.queue.has_used()))
    }
}
