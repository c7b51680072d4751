//! The split virtqueue, driver's side (section 2.7).
//!
//! What the driver must rely on (which descriptors are free, how long a chain is, what it was for) it keeps in memory
//! of its own; the shared areas are only written, except for the used ring, whose every value is checked.
//! Notifications and interrupts are suppressed by the flags fields, or where a device is driven so by the event index
//! (section 2.7.10): then each side names the one index at which it wants to hear, so a burst costs one of them.

mod layout;
#[cfg(test)]
mod tests;

use core::sync::atomic::{Ordering, fence};

pub use layout::{Areas, queue_bytes};
use layout::{RING, available_event_offset, available_offset, used_event_offset, used_offset};

use crate::{Lent, Shared, shared::Table};

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

impl Segment {
    /// Bytes the device may write.
    const fn writable(&self) -> u32 {
        match self {
            Self::Readable(_) => 0,
            Self::Writable(memory) => memory.length() as u32,
        }
    }
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
    rings: Rings,
    slots: [Slot; SIZE],
}

/// All of a queue but its slots, so that one copy of the code serves queues of any size.
#[derive(Debug)]
struct Rings {
    areas: Areas,
    /// Address, then length, flags and next one.
    descriptors: Table<[u64; 2]>,
    /// Flags and index.
    available: Table<u16>,
    available_ring: Table<u16>,
    used: Table<u16>,
    /// Head and length written.
    used_ring: Table<[u32; 2]>,
    used_event: Table<u16>,
    available_event: Table<u16>,
    /// The event index was agreed about.
    by_index: bool,
    /// What [`Rings::next_available`] was when somebody last asked whether to notify.
    told: u16,
    first_free: u16,
    free: u16,
    /// Chains in flight.
    flying: u16,
    /// The next index to write to the available ring, modulo 2^16.
    next_available: u16,
    /// The next index to read from the used ring, modulo 2^16.
    next_used: u16,
}

/// Of the tables `available` and `used`.
const FLAGS: usize = 0;
const INDEX: usize = 1;

impl<const SIZE: usize> Queue<SIZE> {
    /// An empty queue in memory of at least [`queue_bytes`]; `None` if it is smaller.
    #[must_use]
    pub fn new(memory: &Shared) -> Option<Self> {
        const { assert!(SIZE.is_power_of_two() && SIZE <= 1 << 15) };
        let mut slots = [Slot::default(); SIZE];
        Some(Self { rings: Rings::new(memory, &mut slots)?, slots })
    }

    /// Where the areas lie, to tell the device.
    #[must_use]
    pub const fn areas(&self) -> &Areas {
        &self.rings.areas
    }

    /// Descriptors that are free.
    #[must_use]
    pub const fn free(&self) -> usize {
        self.rings.free as usize
    }

    /// Chains the device has not given back.
    #[must_use]
    pub const fn in_flight(&self) -> usize {
        self.rings.flying as usize
    }

    /// Offers a chain of one or two segments to the device, which may use it from now on. `cookie` comes back with it.
    pub fn add(&mut self, first: &Segment, second: Option<&Segment>, cookie: u32) -> Result<(), Full> {
        self.rings.add(&mut self.slots, first, second, cookie)
    }

    /// Offers a chain of any number of stretches, those that the device writes behind those that it reads. Nothing is
    /// offered if there are none.
    pub fn add_chain(&mut self, chain: &[Lent], cookie: u32) -> Result<(), Full> {
        self.rings.add_chain(&mut self.slots, chain, cookie)
    }

    /// Offers one stretch.
    #[inline]
    pub fn add_lent(&mut self, lent: Lent, cookie: u32) -> Result<(), Full> {
        self.rings.add_lent(&mut self.slots, lent, cookie)
    }

    /// Takes back a chain that the device is done with, if there is one.
    pub fn take_used(&mut self) -> Result<Option<Used>, Broken> {
        self.rings.take_used(&mut self.slots)
    }

    /// Whether the device has something for [`Queue::take_used`].
    #[must_use]
    pub fn has_used(&self) -> bool {
        self.rings.used_index() != self.rings.next_used
    }

    /// What tells of more without the queue.
    #[must_use]
    pub fn watch(&self) -> Watch {
        Watch { used: self.rings.used, seen: self.rings.next_used }
    }

    /// Whether the device wants to be notified of what was added (section 2.7.13.4).
    #[must_use]
    pub fn wants_notification(&self) -> bool {
        // The index must be visible before the flags are read, or both sides could wait for each other.
        fence(Ordering::SeqCst);
        self.rings.used.load(FLAGS) & SUPPRESS.to_le() == 0
    }

    /// From now on the event index says who wants to hear of what, as was agreed about. Before the first buffer.
    pub fn use_event_index(&mut self) {
        self.rings.by_index = true;
    }

    /// Whether the device wants to be notified of what was added since the last question.
    pub fn take_notification(&mut self) -> bool {
        self.rings.take_notification()
    }

    /// Asks for interrupts or for none. After turning them on, look at [`Queue::has_used`] once more: what came
    /// before may not have raised one.
    pub fn set_interrupts(&mut self, wanted: bool) {
        self.rings.set_interrupts(wanted);
    }
}

/// Tells whether the device has used more than what had been taken when this was made: a load and a comparison, for who
/// asks again and again. The queue's memory is the device's for ever, so it may outlive the queue.
#[derive(Clone, Copy, Debug)]
pub struct Watch {
    used: Table<u16>,
    seen: u16,
}

impl Watch {
    /// Whether it has.
    #[must_use]
    #[inline]
    pub fn has_news(&self) -> bool {
        u16::from_le(self.used.load(INDEX)) != self.seen
    }
}

impl Rings {
    fn new(memory: &Shared, slots: &mut [Slot]) -> Option<Self> {
        let (size, count) = (slots.len(), slots.len() as u16);
        let (available_at, used_at) = (available_offset(size), used_offset(size));
        let start = memory.physical();
        let areas = Areas { descriptors: start, available: start + available_at as u64, used: start + used_at as u64 };
        let rings = Self {
            areas,
            descriptors: Table::new(memory, 0, count)?,
            available: Table::new(memory, available_at, 2)?,
            available_ring: Table::new(memory, available_at + RING, count)?,
            used: Table::new(memory, used_at, 2)?,
            used_ring: Table::new(memory, used_at + RING, count)?,
            used_event: Table::new(memory, used_event_offset(size), 1)?,
            available_event: Table::new(memory, available_event_offset(size), 1)?,
            by_index: false,
            told: 0,
            first_free: 0,
            free: count,
            flying: 0,
            next_available: 0,
            next_used: 0,
        };
        // Of the areas only flags and indices have a meaning before the first buffer is offered.
        for area in [&rings.available, &rings.used] {
            area.store(FLAGS, 0);
            area.store(INDEX, 0);
        }
        rings.used_event.store(0, 0);
        rings.available_event.store(0, 0);
        for (slot, next) in slots.iter_mut().zip(1..) {
            slot.next = next;
        }
        Some(rings)
    }

    /// The device's index in the used ring.
    fn used_index(&self) -> u16 {
        u16::from_le(self.used.load(INDEX))
    }

    fn set_interrupts(&self, wanted: bool) {
        if self.by_index {
            // One is raised when the used index leaves this one behind, so never for one that it has left already.
            let event = if wanted { self.next_used } else { self.next_used.wrapping_sub(1) };
            self.used_event.store(0, event.to_le());
        } else {
            self.available.store(FLAGS, if wanted { 0 } else { SUPPRESS.to_le() });
        }
        fence(Ordering::SeqCst);
    }

    fn take_notification(&mut self) -> bool {
        let added = self.next_available.wrapping_sub(self.told);
        self.told = self.next_available;
        // As in `wants_notification`.
        fence(Ordering::SeqCst);
        if !self.by_index {
            return added > 0 && self.used.load(FLAGS) & SUPPRESS.to_le() == 0;
        }
        let event = u16::from_le(self.available_event.load(0));
        // Section 2.7.10.1: the index has passed the one that was named.
        self.next_available.wrapping_sub(event).wrapping_sub(1) < added
    }

    fn add(&mut self, slots: &mut [Slot], first: &Segment, second: Option<&Segment>, cookie: u32) -> Result<(), Full> {
        let chain = if second.is_some() { 2 } else { 1 };
        if self.free < chain {
            return Err(Full);
        }
        let head = self.first_free;
        let slot = slots.get_mut(usize::from(head)).ok_or(Full)?;
        let next = slot.next;
        let writable = first.writable() + second.map_or(0, Segment::writable);
        (slot.chain, slot.cookie, slot.writable) = (chain, cookie, writable);
        self.first_free = next;
        match second {
            None => self.describe(head, first, 0),
            Some(second) => {
                self.describe(head, first, u64::from(NEXT) << 32 | u64::from(next) << 48);
                self.describe(next, second, 0);
                self.first_free = slots.get(usize::from(next)).ok_or(Full)?.next;
            }
        }
        self.offer(head, chain);
        Ok(())
    }

    #[inline]
    fn add_lent(&mut self, slots: &mut [Slot], lent: Lent, cookie: u32) -> Result<(), Full> {
        let head = self.first_free;
        let slot = slots.get_mut(usize::from(head)).filter(|_| self.free > 0).ok_or(Full)?;
        let writable = if lent.writable { lent.length } else { 0 };
        self.first_free = slot.next;
        *slot = Slot { next: slot.next, chain: 1, cookie, writable };
        let direction = if lent.writable { u64::from(WRITE) << 32 } else { 0 };
        self.descriptors.store(head.into(), [lent.physical, u64::from(lent.length) | direction].map(u64::to_le));
        self.offer(head, 1);
        Ok(())
    }

    fn add_chain(&mut self, slots: &mut [Slot], chain: &[Lent], cookie: u32) -> Result<(), Full> {
        let count = u16::try_from(chain.len()).map_err(|_| Full)?;
        if count > self.free {
            return Err(Full);
        }
        let (head, mut at, mut left) = (self.first_free, self.first_free, count);
        let mut writable = 0;
        for lent in chain {
            left -= 1;
            let next = slots.get(usize::from(at)).ok_or(Full)?.next;
            let link = if left > 0 { u64::from(NEXT) << 32 | u64::from(next) << 48 } else { 0 };
            let direction = if lent.writable { u64::from(WRITE) << 32 } else { 0 };
            writable += if lent.writable { lent.length } else { 0 };
            let tail = u64::from(lent.length) | direction | link;
            self.descriptors.store(at.into(), [lent.physical, tail].map(u64::to_le));
            at = next;
        }
        if count == 0 {
            return Ok(());
        }
        let slot = slots.get_mut(usize::from(head)).ok_or(Full)?;
        (slot.chain, slot.cookie, slot.writable) = (count, cookie, writable);
        self.first_free = at;
        self.offer(head, count);
        Ok(())
    }

    /// Shows a chain of `count` descriptors to the device.
    fn offer(&mut self, head: u16, count: u16) {
        self.free -= count;
        self.flying += 1;
        self.available_ring.store(self.next_available.into(), head.to_le());
        self.next_available = self.next_available.wrapping_add(1);
        // The device must see descriptors and ring before the index (section 2.7.13.3.1).
        fence(Ordering::Release);
        self.available.store(INDEX, self.next_available.to_le());
    }

    /// Writes descriptor `at`; `link` has the bits that lead to a next one.
    fn describe(&self, at: u16, segment: &Segment, link: u64) {
        let (memory, direction) = match segment {
            Segment::Readable(memory) => (memory, 0),
            Segment::Writable(memory) => (memory, u64::from(WRITE) << 32),
        };
        let tail = memory.length() as u32;
        self.descriptors.store(at.into(), [memory.physical(), u64::from(tail) | direction | link].map(u64::to_le));
    }

    fn take_used(&mut self, slots: &mut [Slot]) -> Result<Option<Used>, Broken> {
        let ready = self.used_index().wrapping_sub(self.next_used);
        if ready == 0 {
            return Ok(None);
        }
        if ready > self.flying {
            return Err(Broken);
        }
        fence(Ordering::Acquire);
        let [head, written] = self.used_ring.load(self.next_used.into()).map(u32::from_le);
        let used = self.release(slots, head, written)?;
        self.next_used = self.next_used.wrapping_add(1);
        Ok(Some(used))
    }

    /// Frees the chain that starts at `head`, if one does.
    fn release(&mut self, slots: &mut [Slot], head: u32, written: u32) -> Result<Used, Broken> {
        let slot = slots.get_mut(head as usize).filter(|slot| slot.chain > 0).ok_or(Broken)?;
        let Slot { cookie, writable, chain, .. } = *slot;
        slot.chain = 0;
        let mut last = slot;
        for _ in 1..chain {
            let next = usize::from(last.next);
            last = slots.get_mut(next).ok_or(Broken)?;
        }
        last.next = self.first_free;
        self.first_free = head as u16;
        self.free += chain;
        self.flying -= 1;
        Ok(Used { cookie, written: written.min(writable) })
    }
}
