//! The sending half: small packets are copied beside their header, parts of others are read where they lie.

use alloc::{boxed::Box, vec::Vec};

use packets::{Bytes, Head, Packet, Parts};

use super::{
    ENTRIES,
    header::{self, HEADER},
};
use crate::{
    Lent, Shared,
    queue::{Broken, Queue},
};

/// Packets that can be under way.
const DEPTH: usize = 128;
/// Bytes of a slot: what the device needs to know, and a small packet, or the head of another.
const SLOT: usize = 256;
const _: () = assert!(HEADER + packets::HEAD <= SLOT, "a head fits a slot");
/// Bytes of memory for all slots.
pub(super) const MEMORY: usize = DEPTH * SLOT;
/// Stretches of a packet at the most; one of more is put together first.
const PARTS: usize = 18;

/// A sending queue of a device.
#[derive(Debug)]
pub struct Transmit {
    number: u16,
    queue: Box<Queue<ENTRIES>>,
    slots: Shared,
    /// What the device reads, by slot.
    held: Vec<Held>,
    /// What it reads beside the slots, by slot.
    beside: Vec<Beside>,
    free: Vec<u32>,
    dropped: u64,
}

/// What the device reads of a packet beside its slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Held {
    /// There is no packet.
    Free,
    /// Nothing.
    Alone,
    /// What the slot has beside it.
    Beside,
}

/// Memory that the device reads: it is kept for that, and dropped.
#[derive(Debug)]
enum Beside {
    Nothing,
    Head(#[expect(dead_code, reason = "it is kept for the device, and dropped")] Head),
    Parts(#[expect(dead_code, reason = "it is kept for the device, and dropped")] Parts),
}

/// What became of a packet.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Taken {
    Sent,
    Lost,
    NoRoom,
}

impl Transmit {
    pub(super) fn new(number: u16, queue: Box<Queue<ENTRIES>>, slots: Shared) -> Self {
        let held = alloc::vec![Held::Free; DEPTH];
        let beside = core::iter::repeat_with(|| Beside::Nothing).take(DEPTH).collect();
        let free = (0..DEPTH as u32).rev().collect();
        Self { number, queue, slots, held, beside, free, dropped: 0 }
    }

    /// Its number, for [`super::Device::notify`].
    #[must_use]
    pub const fn number(&self) -> u16 {
        self.number
    }

    /// Packets that could never be sent.
    #[must_use]
    pub const fn dropped(&self) -> u64 {
        self.dropped
    }

    /// Gives back the memory of what the device has read.
    pub fn reclaim(&mut self) -> Result<(), Broken> {
        while let Some(used) = self.queue.take_used()? {
            let held = self.held.get_mut(used.cookie as usize).ok_or(Broken)?;
            match core::mem::replace(held, Held::Free) {
                Held::Free => return Err(Broken),
                Held::Alone => {}
                Held::Beside => self.beside[used.cookie as usize] = Beside::Nothing,
            }
            self.free.push(used.cookie);
        }
        Ok(())
    }

    /// Takes as many of the first packets as there is room for, and says how many; the device sees them, perhaps not
    /// before it is notified, if [`Transmit::take_notification`] says so. `lend` lends bytes to it that stay where they
    /// are; `None` if it cannot reach them.
    pub fn send(
        &mut self,
        packets: &mut Vec<Packet>,
        lend: &mut dyn FnMut(&[u8]) -> Option<Lent>,
    ) -> Result<usize, Broken> {
        self.reclaim()?;
        let mut count = 0;
        for packet in packets.iter_mut() {
            match self.add(packet, lend) {
                Taken::Sent => {}
                Taken::Lost => self.dropped += 1,
                Taken::NoRoom => break,
            }
            count += 1;
        }
        if count == packets.len() {
            packets.clear();
        } else {
            packets.drain(..count);
        }
        Ok(count)
    }

    /// Whether the device wants to be notified of what was added.
    pub fn take_notification(&mut self) -> bool {
        self.queue.take_notification()
    }

    fn add(&mut self, packet: &mut Packet, lend: &mut dyn FnMut(&[u8]) -> Option<Lent>) -> Taken {
        let bytes = if packet.parts.is_empty() { packet.head.len() } else { packet.len() };
        let Some(header) = header::encode(packet, bytes).filter(|_| bytes > 0) else { return Taken::Lost };
        let Some(&slot) = self.free.last() else { return Taken::NoRoom };
        let at = slot as usize * SLOT;
        self.slots.write_array(at, &header);
        let taken = if HEADER + bytes <= SLOT {
            self.add_short(packet, slot)
        } else if packet.parts.is_empty()
            && let Some(second) = lend(packet.head.bytes())
        {
            self.add_head(&mut packet.head, slot, second)
        } else {
            self.add_parts(packet, slot, lend)
        };
        if taken == Taken::Sent {
            self.free.pop();
        }
        taken
    }

    /// One that is copied beside its header.
    #[inline(always)]
    fn add_short(&mut self, packet: &Packet, slot: u32) -> Taken {
        let at = slot as usize * SLOT;
        let mut length = HEADER + self.slots.write(at + HEADER, packet.head.bytes());
        for part in &packet.parts {
            length += self.slots.write(at + length, part);
        }
        let Some(lent) = self.slots.lend_part(at, length) else { return Taken::Lost };
        if self.queue.add_lent(lent, slot).is_err() {
            return Taken::NoRoom;
        }
        self.held[slot as usize] = Held::Alone;
        Taken::Sent
    }

    /// One that is a head, and too long for that: it is read where it lies.
    fn add_head(&mut self, head: &mut Head, slot: u32, second: Lent) -> Taken {
        let Some(first) = self.slots.lend_part(slot as usize * SLOT, HEADER) else { return Taken::Lost };
        if self.queue.add_chain(&[first, second], slot).is_err() {
            return Taken::NoRoom;
        }
        self.hold(slot, Beside::Head(core::mem::take(head)));
        Taken::Sent
    }

    /// One of parts, before which a slot has the head, if that is not too long itself.
    fn add_parts(&mut self, packet: &mut Packet, slot: u32, lend: &mut dyn FnMut(&[u8]) -> Option<Lent>) -> Taken {
        let at = slot as usize * SLOT;
        let head = packet.head.bytes();
        if HEADER + head.len() > SLOT {
            packet.parts.insert(0, Bytes::copy_from_slice(head));
            packet.head.clear();
        }
        let length = HEADER + self.slots.write(at + HEADER, packet.head.bytes());
        let Some(first) = self.slots.lend_part(at, length) else { return Taken::Lost };
        let mut chain = [Lent::NONE; PARTS + 1];
        chain[0] = first;
        let Some(parts) = lent(&mut packet.parts, &mut chain[1..], lend) else { return Taken::Lost };
        if self.queue.add_chain(&chain[..=parts], slot).is_err() {
            return Taken::NoRoom;
        }
        self.hold(slot, Beside::Parts(core::mem::take(&mut packet.parts)));
        Taken::Sent
    }

    fn hold(&mut self, slot: u32, beside: Beside) {
        self.held[slot as usize] = Held::Beside;
        // A free slot has nothing beside it that would have to be dropped.
        core::mem::forget(core::mem::replace(&mut self.beside[slot as usize], beside));
    }

    /// As [`Queue::set_interrupts`], for what was sent; whether there is such already.
    pub fn set_interrupts(&mut self, wanted: bool) -> bool {
        self.queue.set_interrupts(wanted);
        self.queue.has_used()
    }
}

/// Lends all parts, in fresh memory if there are too many or the device cannot reach one; says how many.
fn lent(parts: &mut Parts, places: &mut [Lent], lend: &mut dyn FnMut(&[u8]) -> Option<Lent>) -> Option<usize> {
    parts.retain(|part| !part.is_empty());
    let mut all = |parts: &Parts| {
        for (place, part) in places.get_mut(..parts.len())?.iter_mut().zip(parts) {
            *place = lend(part)?;
        }
        Some(parts.len())
    };
    all(parts).or_else(|| {
        let bytes: Vec<u8> = parts.concat();
        parts.clear();
        parts.push(Bytes::from(bytes));
        all(parts)
    })
}
