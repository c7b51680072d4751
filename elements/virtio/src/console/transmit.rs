//! The sending half: a ring of bytes, of which each chain in flight is a stretch.

use super::{TRANSMIT_RING, TRANSMIT_SIZE};
use crate::{
    Shared,
    queue::{Areas, Broken, Queue, Segment},
};

/// Descriptors a stretch may need: two where it goes over the end of the ring.
const DESCRIPTORS: usize = 2;

#[derive(Debug)]
pub(super) struct Transmit {
    queue: Queue<TRANSMIT_SIZE>,
    ring: Shared,
    /// Offset of the next byte to write.
    head: usize,
    /// Bytes that the device has not taken.
    held: usize,
}

impl Transmit {
    pub(super) fn new(queue: &Shared, ring: Shared) -> Option<Self> {
        let mut queue = Queue::new(queue)?;
        queue.set_interrupts(false);
        Some(Self { queue, ring, head: 0, held: 0 })
    }

    pub(super) const fn areas(&self) -> &Areas {
        self.queue.areas()
    }

    pub(super) fn has_news(&self) -> bool {
        self.queue.has_used()
    }

    pub(super) fn wants_notification(&self) -> bool {
        self.queue.wants_notification()
    }

    pub(super) fn set_interrupts(&mut self, wanted: bool) {
        self.queue.set_interrupts(wanted);
    }

    pub(super) const fn is_flushed(&self) -> bool {
        self.queue.in_flight() == 0
    }

    pub(super) fn room(&self) -> usize {
        if self.queue.free() < DESCRIPTORS { 0 } else { TRANSMIT_RING - self.held }
    }

    /// A stretch's cookie is its length. Devices send a port's bytes in order; one that gives stretches back out of
    /// order gets its own output garbled.
    pub(super) fn reclaim(&mut self) -> Result<(), Broken> {
        for _ in 0..TRANSMIT_SIZE {
            let Some(used) = self.queue.take_used()? else { break };
            self.held = self.held.saturating_sub(used.cookie as usize);
        }
        Ok(())
    }

    pub(super) fn send(&mut self, head: &[u8], body: &[u8]) -> bool {
        let length = head.len().saturating_add(body.len());
        if length > self.room() || length == 0 {
            return length == 0;
        }
        self.put(self.head, head);
        self.put((self.head + head.len()) % TRANSMIT_RING, body);
        let first = length.min(TRANSMIT_RING - self.head);
        let (Some(stretch), Some(rest)) = (self.ring.part(self.head, first), self.ring.part(0, length - first)) else {
            return false;
        };
        let rest = Segment::Readable(rest);
        let second = (first < length).then_some(&rest);
        if self.queue.add(&Segment::Readable(stretch), second, length as u32).is_err() {
            return false;
        }
        self.head = (self.head + length) % TRANSMIT_RING;
        self.held += length;
        true
    }

    /// Writes bytes at `offset`, around the end of the ring if need be.
    fn put(&self, offset: usize, bytes: &[u8]) {
        let written = self.ring.write(offset, bytes);
        self.ring.write(0, &bytes[written..]);
    }
}
