//! The split virtqueue, driver's side (section 2.7).
//!
//! What the driver must rely on (which descriptors are free, how long a chain is, what it was for) it keeps in memory
//! of its own; the shared areas are only written, except for the used ring, whose every value is checked.
//! Notifications are suppressed by the flags fields; the event index (section 2.7.10) is not negotiated, as no device
//! whittle drives so far asks for fewer notifications through it than through the flags.

mod layout;
#[cfg(test)]
mod tests;

use core::sync::atomic::{Ordering, fence};

pub use layout::{Areas, queue_bytes};
use layout::{DESCRIPTOR, INDEX, RING, USED_ELEMENT};

use crate::Shared;

/// Descriptor flags (section 2.7.5).
const NEXT: u16 = 1;
const WRITE: u16 = 2;
/// In the available ring: "do not interrupt" (section 2.7.6); in the used ring: "do not notify" (section 2.7.8).
const SUPPRESS: u16 = 1;

/// A buffer, or a part of one.
#[derive(Clone, Copy, Debug)]
pub enum Segment {
    /// The device reads it.
    Readable(Shared),
    /// The device writes it. Behind all readable segments of a chain.
    Writable(Shared),
}

/// A chain that the device is done with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Used {
    /// What [`Queue::add`] was given.
    pub cookie: u32,
    /// Bytes the device says it wrote; never more than the chain's writable segments hold.
    pub written: u32,
}

/// Not as many descriptors are free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full;

/// The device broke the protocol: an index or id that cannot be. The queue is of no more use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Broken;

/// What the driver remembers of a descriptor.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    /// The next free descriptor, or the next one of the chain.
    next: u16,
    /// Descriptors in the chain that starts here and is in flight; 0 if none does.
    chain: u16,
    cookie: u32,
    /// Bytes the device may write into the chain.
    writable: u32,
}

/// A queue of `SIZE` descriptors, a power of two up to 32768 (section 2.7).
#[derive(Debug)]
pub struct Queue<const SIZE: usize> {
    areas: Areas,
    slots: [Slot; SIZE],
    first_free: u16,
    free: u16,
    /// Chains in flight.
    flying: u16,
    /// The next index to write to the available ring, modulo 2^16.
    available: u16,
    /// The next index to read from the used ring, modulo 2^16.
    used: u16,
}

impl<const SIZE: usize> Queue<SIZE> {
    /// An empty queue in memory of at least [`queue_bytes`]; `None` if it is smaller.
    #[must_use]
    pub fn new(memory: &Shared) -> Option<Self> {
        const { assert!(SIZE.is_power_of_two() && SIZE <= 1 << 15) };
        let areas = Areas::divide(memory, SIZE)?;
        // Of the areas only flags and indices have a meaning before the first buffer is offered.
        for field in [0, INDEX] {
            areas.available.store16(field, 0);
            areas.used.store16(field, 0);
        }
        let mut slots = [Slot::default(); SIZE];
        for (index, slot) in slots.iter_mut().enumerate() {
            slot.next = index as u16 + 1;
        }
        Some(Self { areas, slots, first_free: 0, free: SIZE as u16, flying: 0, available: 0, used: 0 })
    }

    /// The areas, to tell the device.
    #[must_use]
    pub const fn areas(&self) -> &Areas {
        &self.areas
    }

    /// Descriptors that are free.
    #[must_use]
    pub const fn free(&self) -> usize {
        self.free as usize
    }

    /// Chains the device has not given back.
    #[must_use]
    pub const fn in_flight(&self) -> usize {
        self.flying as usize
    }

    /// Offers a chain to the device, which may use it from now on. `cookie` comes back with it.
    pub fn add(&mut self, segments: &[Segment], cookie: u32) -> Result<(), Full> {
        if segments.is_empty() || segments.len() > self.free() {
            return Err(Full);
        }
        let head = self.first_free;
        let (mut at, mut writable) = (head, 0);
        for (index, segment) in segments.iter().enumerate() {
            let slot = self.slots.get(usize::from(at)).ok_or(Full)?;
            let last = index + 1 == segments.len();
            writable += self.describe(at, segment, (!last).then_some(slot.next));
            at = slot.next;
        }
        self.first_free = at;
        self.free -= segments.len() as u16;
        self.flying += 1;
        if let Some(slot) = self.slots.get_mut(usize::from(head)) {
            *slot = Slot { next: slot.next, chain: segments.len() as u16, cookie, writable };
        }
        self.areas.available.store16(RING + 2 * (usize::from(self.available) % SIZE), head);
        self.available = self.available.wrapping_add(1);
        // The device must see descriptors and ring before the index (section 2.7.13.3.1).
        fence(Ordering::Release);
        self.areas.available.store16(INDEX, self.available);
        Ok(())
    }

    /// Writes descriptor `at`; returns the bytes the device may write there.
    fn describe(&self, at: u16, segment: &Segment, next: Option<u16>) -> u32 {
        let (memory, direction) = match segment {
            Segment::Readable(memory) => (memory, 0),
            Segment::Writable(memory) => (memory, WRITE),
        };
        let length = memory.length() as u32;
        let flags = direction | if next.is_some() { NEXT } else { 0 };
        let tail = u64::from(length) | u64::from(flags) << 32 | u64::from(next.unwrap_or(0)) << 48;
        let offset = DESCRIPTOR * usize::from(at);
        self.areas.descriptors.store64(offset, memory.physical());
        self.areas.descriptors.store64(offset + 8, tail);
        if direction == WRITE { length } else { 0 }
    }

    /// Takes back a chain that the device is done with, if there is one.
    pub fn take_used(&mut self) -> Result<Option<Used>, Broken> {
        let index = self.areas.used.load16(INDEX);
        let ready = index.wrapping_sub(self.used);
        if ready == 0 {
            return Ok(None);
        }
        if ready > self.flying {
            return Err(Broken);
        }
        fence(Ordering::Acquire);
        let element = RING + USED_ELEMENT * (usize::from(self.used) % SIZE);
        let (head, written) = (self.areas.used.load32(element), self.areas.used.load32(element + 4));
        let used = self.release(head, written)?;
        self.used = self.used.wrapping_add(1);
        Ok(Some(used))
    }

    /// Frees the chain that starts at `head`, if one does.
    fn release(&mut self, head: u32, written: u32) -> Result<Used, Broken> {
        let slot = *self.slots.get(head as usize).filter(|slot| slot.chain > 0).ok_or(Broken)?;
        let mut last = head as usize;
        for _ in 1..slot.chain {
            last = usize::from(self.slots.get(last).ok_or(Broken)?.next);
        }
        self.slots.get_mut(last).ok_or(Broken)?.next = self.first_free;
        if let Some(first) = self.slots.get_mut(head as usize) {
            first.chain = 0;
        }
        self.first_free = head as u16;
        self.free += slot.chain;
        self.flying -= 1;
        Ok(Used { cookie: slot.cookie, written: written.min(slot.writable) })
    }

    /// Whether the device has something for [`Queue::take_used`].
    #[must_use]
    pub fn has_used(&self) -> bool {
        self.areas.used.load16(INDEX) != self.used
    }

    /// Whether the device wants to be notified of what was added (section 2.7.13.4).
    #[must_use]
    pub fn wants_notification(&self) -> bool {
        // The index must be visible before the flags are read, or both sides could wait for each other.
        fence(Ordering::SeqCst);
        self.areas.used.load16(0) & SUPPRESS == 0
    }

    /// Asks for interrupts or for none. After turning them on, look at [`Queue::has_used`] once more: what came
    /// before may not have raised one.
    pub fn set_interrupts(&mut self, wanted: bool) {
        self.areas.available.store16(0, if wanted { 0 } else { SUPPRESS });
        fence(Ordering::SeqCst);
    }
}
