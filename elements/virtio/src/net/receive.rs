//! The receiving half: buffers that lie ready, and packets made of those that the device has filled. Packets of one
//! are copied out of it.

use alloc::{boxed::Box, vec::Vec};

use bytes::Buf;
use packets::{Bytes, Head, Offload, Packet, Parts};

use super::{
    BUFFER, ENTRIES,
    header::{self, HEADER},
};
use crate::{
    Lent,
    queue::{Broken, Queue},
};

/// Buffers that lie ready: two bursts, and more than the longest packet takes.
const READY: usize = 128;

/// Buffers of a packet at the most: 64 KB and its headers. One of more is none that anybody sends.
const MOST: u16 = (65_536 + 64_usize).div_ceil(BUFFER) as u16 + 1;

/// Bytes of a packet at the most that is shown where it lies. Longer ones come in rows, which are joined first.
const SHORT: usize = 1024;

/// Memory that a device fills: [`BUFFER`] bytes.
pub trait Buffer: Sized {
    /// One of its own; `None` if there is no memory.
    fn fresh() -> Option<Self>;

    /// Lends it to the device, to write; `None` if that cannot reach it.
    fn lend(&mut self) -> Option<Lent>;

    /// Looks at its first bytes, at most so many: the device has given it back, and says that it has written these. It
    /// may be lent again.
    fn look(&mut self, length: usize) -> &[u8];

    /// Its first bytes, as [`Buffer::look`].
    fn filled(self, length: usize) -> Bytes;
}

/// A packet of which more buffers are to come.
#[derive(Debug)]
struct Unfinished {
    header: [u8; HEADER],
    parts: Parts,
    /// Buffers to come.
    left: u16,
    good: bool,
}

/// A receiving queue of a device.
#[derive(Debug)]
pub struct Receive<B> {
    number: u16,
    queue: Box<Queue<ENTRIES>>,
    /// What the device has, by cookie, and what it is to get again.
    buffers: Vec<Option<B>>,
    /// Cookies of places of which the device has no buffer.
    empty: Vec<u32>,
    unfinished: Option<Unfinished>,
    mergeable: bool,
    dropped: u64,
}

impl<B: Buffer> Receive<B> {
    pub(super) fn new(number: u16, queue: Box<Queue<ENTRIES>>, mergeable: bool) -> Self {
        let buffers = core::iter::repeat_with(|| None).take(READY).collect();
        let empty = (0..READY as u32).collect();
        Self { number, queue, buffers, empty, unfinished: None, mergeable, dropped: 0 }
    }

    /// Its number, for [`super::Device::notify`].
    #[must_use]
    pub const fn number(&self) -> u16 {
        self.number
    }

    /// Packets whose header was wrong.
    #[must_use]
    pub const fn dropped(&self) -> u64 {
        self.dropped
    }

    /// Hands fresh buffers to the device, as far as there is memory; whether it wants to be notified of them.
    pub fn refill(&mut self) -> bool {
        while let Some(&place) = self.empty.last() {
            let kept = &mut self.buffers[place as usize];
            let Some(buffer) = kept.take().or_else(B::fresh) else { break };
            let Some(lent) = kept.insert(buffer).lend() else { break };
            if self.queue.add_lent(lent, place).is_err() {
                break;
            }
            self.empty.pop();
        }
        self.queue.take_notification()
    }

    /// Adds what has come to `packets`, but what `take` takes: at most `most`; says how many. Short packets are shown
    /// to it, as long as none was added, for the order stays.
    pub fn receive(
        &mut self,
        packets: &mut Vec<Packet>,
        most: usize,
        take: &mut dyn FnMut(&[u8], &Offload) -> bool,
    ) -> Result<usize, Broken> {
        let (before, mut taken) = (packets.len(), 0);
        while packets.len() - before + taken < most {
            let Some(used) = self.queue.take_used()? else { break };
            let place = self.buffers.get_mut(used.cookie as usize).ok_or(Broken)?;
            let buffer = place.as_mut().ok_or(Broken)?;
            self.empty.push(used.cookie);
            let length = (used.written as usize).min(BUFFER);
            if self.unfinished.is_none()
                && let Some((frame, offload)) = of_one(buffer.look(length), self.mergeable)
            {
                if frame.len() <= SHORT && packets.len() == before && take(frame, &offload) {
                    taken += 1;
                } else {
                    packets.extend(copied(frame, offload));
                }
                continue;
            }
            let Some(buffer) = place.take() else { return Err(Broken) };
            packets.extend(self.take(buffer.filled(length)));
        }
        Ok(packets.len() - before + taken)
    }

    /// Takes a buffer's bytes; the packet that they end, if it is a good one.
    fn take(&mut self, bytes: Bytes) -> Option<Packet> {
        let mut unfinished = match self.unfinished.take() {
            None => self.first(bytes),
            Some(mut unfinished) => {
                unfinished.left -= 1;
                // What is too long is passed over, and not kept.
                if unfinished.good {
                    unfinished.parts.push(bytes);
                }
                unfinished
            }
        };
        if unfinished.left > 0 {
            self.unfinished = Some(unfinished);
            return None;
        }
        let length = unfinished.parts.iter().map(Bytes::len).sum();
        let offload = header::decode(&unfinished.header, length).ok().filter(|_| unfinished.good && length > 0);
        let Some(offload) = offload else {
            self.dropped += 1;
            return None;
        };
        unfinished.parts.retain(|part| !part.is_empty());
        Some(Packet { parts: unfinished.parts, offload, ..Packet::default() })
    }

    fn first(&self, mut bytes: Bytes) -> Unfinished {
        let Some(&header) = bytes.first_chunk::<HEADER>() else {
            return Unfinished { header: [0; HEADER], parts: Parts::new(), left: 0, good: false };
        };
        let buffers = if self.mergeable { header::buffers(&header) } else { 1 };
        let good = (1..=MOST).contains(&buffers);
        let mut parts = Parts::new();
        bytes.advance(HEADER);
        parts.push(bytes);
        Unfinished { header, parts, left: buffers.saturating_sub(1), good }
    }

    /// As [`Queue::set_interrupts`]; whether something has come already.
    pub fn set_interrupts(&mut self, wanted: bool) -> bool {
        self.queue.set_interrupts(wanted);
        self.queue.has_used()
    }
}

/// A packet of one buffer. `None` if it is of several, or there is something wrong with it.
#[inline]
fn of_one(bytes: &[u8], mergeable: bool) -> Option<(&[u8], Offload)> {
    let (header, frame) = bytes.split_first_chunk::<HEADER>()?;
    if frame.is_empty() || mergeable && header::buffers(header) != 1 {
        return None;
    }
    Some((frame, header::decode(header, frame.len()).ok()?))
}

/// Such a packet, copied: a fresh buffer in its buffer's place, and counted memory, cost more, and this memory is no
/// more than its bytes want.
#[inline]
fn copied(frame: &[u8], offload: Offload) -> Option<Packet> {
    Some(Packet { head: Head::received(frame)?, parts: Parts::new(), offload })
}
