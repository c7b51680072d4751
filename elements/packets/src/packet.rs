//! One frame on its way, and its memory.

use alloc::boxed::Box;

use bytes::{Buf, Bytes};
use smallvec::SmallVec;

use crate::Offload;

/// Bytes that a packet has room for beside its parts, so that a small packet is one stretch and needs no memory of its
/// own.
pub const HEAD: usize = 192;

/// How many of them are kept for what is put before the first byte: Ethernet, IPv6, a fragment header, and UDP. So
/// protocols write from the inside out, and nothing is moved. What is left takes TCP with all options and a short payload.
pub const HEADROOM: usize = 72;

/// The parts of a packet: stretches of counted memory, in order. More than two are on the heap.
pub type Parts = SmallVec<[Bytes; 2]>;

/// The first bytes of a packet, written by who makes it. They lie apart and are there from the first byte on: a packet is
/// handed on many times on its way, and one that was received has none.
#[derive(Clone)]
pub struct Head {
    bytes: Option<Box<[u8; HEAD]>>,
    start: u8,
    end: u8,
}

const _: () = assert!(HEAD <= u8::MAX as usize, "a place in a head is a byte");

/// A frame, sent or received: its head, and its parts behind it.
///
/// A received one may have no head: its headers are the first bytes of its first part then. [`Packet::front`] is right
/// for both.
#[derive(Clone, Default)]
pub struct Packet {
    /// The first bytes.
    pub head: Head,
    /// The bytes behind the head.
    pub parts: Parts,
    /// What a device does, or has done.
    pub offload: Offload,
}

impl Default for Head {
    #[inline]
    fn default() -> Self {
        Self { bytes: None, start: HEADROOM as u8, end: HEADROOM as u8 }
    }
}

impl Head {
    #[inline]
    fn all(&mut self) -> &mut [u8; HEAD] {
        self.bytes.get_or_insert_with(|| Box::new([0; HEAD]))
    }

    /// Adds bytes behind those that are there; `false` if there is no room for them, and nothing is added.
    #[inline]
    pub fn push(&mut self, bytes: &[u8]) -> bool {
        self.grow(bytes.len()).map(|place| place.copy_from_slice(bytes)).is_some()
    }

    /// Makes it longer by `length` bytes at its end and gives these, or `None` if there is no room. They hold anything.
    #[inline]
    pub fn grow(&mut self, length: usize) -> Option<&mut [u8]> {
        let (start, end) = (usize::from(self.end), usize::from(self.end).checked_add(length)?);
        if end > HEAD {
            return None;
        }
        self.end = end as u8;
        self.all().get_mut(start..end)
    }

    /// Puts bytes before those that are there; `false` if there is no room for them, and nothing changes.
    #[inline]
    pub fn prepend(&mut self, bytes: &[u8]) -> bool {
        let end = usize::from(self.start);
        let Some(start) = end.checked_sub(bytes.len()) else { return false };
        self.start = start as u8;
        self.all()[start..end].copy_from_slice(bytes);
        true
    }

    /// Bytes that [`Head::push`] has room for.
    #[must_use]
    pub const fn room(&self) -> usize {
        HEAD - self.end as usize
    }

    /// Its length in bytes.
    #[must_use]
    pub const fn len(&self) -> usize {
        (self.end - self.start) as usize
    }

    /// Whether it has no bytes.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.start == self.end
    }

    /// Its bytes.
    #[must_use]
    #[inline]
    pub fn bytes(&self) -> &[u8] {
        self.bytes.as_deref().map_or(&[], |bytes| &bytes[self.start.into()..self.end.into()])
    }

    /// Its bytes, to be changed.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        self.bytes.as_deref_mut().map_or(&mut [], |bytes| &mut bytes[self.start.into()..self.end.into()])
    }

    /// Takes the first `count` bytes away, of so many that it has.
    fn advance(&mut self, count: usize) {
        self.start += count as u8;
    }

    /// Keeps the first `length` bytes, of so many that it has.
    fn truncate(&mut self, length: usize) {
        self.end = self.start + length as u8;
    }
}

impl core::fmt::Debug for Head {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.bytes().fmt(f)
    }
}

impl core::fmt::Debug for Packet {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Packet").field("length", &self.len()).field("offload", &self.offload).finish_non_exhaustive()
    }
}

impl Packet {
    /// One that a device has received in a single stretch.
    #[must_use]
    pub fn received(bytes: Bytes, offload: Offload) -> Self {
        let mut parts = Parts::new();
        parts.push(bytes);
        Self { head: Head::default(), parts, offload }
    }

    /// Its length in bytes, all parts together.
    #[must_use]
    #[inline]
    pub fn len(&self) -> usize {
        self.head.len() + self.parts.iter().map(Bytes::len).sum::<usize>()
    }

    /// Whether it has no bytes at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Its stretches in order: the head if there is one, and the parts.
    #[inline]
    pub fn stretches(&self) -> impl Iterator<Item = &[u8]> {
        let head = Some(self.head.bytes()).filter(|head| !head.is_empty());
        head.into_iter().chain(self.parts.iter().map(|part| &**part))
    }

    /// The first stretch, where headers are: the head, or the first part of one that was received.
    #[must_use]
    #[inline]
    pub fn front(&self) -> &[u8] {
        if self.head.is_empty() { self.parts.first().map_or(&[], |part| part) } else { self.head.bytes() }
    }

    /// Takes the first `count` bytes away, or all if there are fewer. Nothing is copied.
    #[inline]
    pub fn advance(&mut self, count: usize) {
        let from_head = count.min(self.head.len());
        self.head.advance(from_head);
        advance(&mut self.parts, count - from_head);
    }

    /// Takes away what is behind the first `length` bytes. Ethernet pads short frames, so a packet's own length rules.
    #[inline]
    pub fn truncate(&mut self, length: usize) {
        let head = self.head.len().min(length);
        self.head.truncate(head);
        truncate(&mut self.parts, length - head);
    }

    /// Copies its first bytes to `to`, and says how many there were.
    pub fn copy_to(&self, to: &mut [u8]) -> usize {
        let mut done = 0;
        for stretch in self.stretches() {
            let count = stretch.len().min(to.len() - done);
            to[done..done + count].copy_from_slice(&stretch[..count]);
            done += count;
        }
        done
    }

    /// All its bytes, copied.
    #[must_use]
    pub fn to_vec(&self) -> alloc::vec::Vec<u8> {
        let mut all = alloc::vec![0; self.len()];
        self.copy_to(&mut all);
        all
    }
}

/// Takes the first `count` bytes of parts away, or all if there are fewer.
#[inline]
pub(crate) fn advance(parts: &mut Parts, mut count: usize) {
    let mut whole = 0;
    for part in parts.iter_mut() {
        if part.len() > count {
            // The header of what nearly every packet is: one stretch.
            part.advance(count);
            break;
        }
        count -= part.len();
        whole += 1;
    }
    if whole > 0 {
        parts.drain(..whole);
    }
}

/// Takes away what is behind the first `length` bytes of parts.
#[inline]
pub(crate) fn truncate(parts: &mut Parts, mut length: usize) {
    for index in 0..parts.len() {
        let part = &mut parts[index];
        if part.len() >= length {
            if part.len() > length {
                part.truncate(length);
            }
            parts.truncate(if length == 0 { index } else { index + 1 });
            return;
        }
        length -= part.len();
    }
}
