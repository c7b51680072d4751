//! One frame on its way, and its memory.

use alloc::vec::Vec;

use bytes::{Buf, Bytes};
use smallvec::SmallVec;
use unfilled::Unfilled;

use crate::Offload;

/// Bytes that a packet has room for beside its parts, so that a small packet is one stretch and needs no memory of its
/// own.
pub const HEAD: usize = 192;

/// How many of them are kept for what is put before the first byte: Ethernet, IPv6, a fragment header, and UDP. So
/// protocols write from the inside out, and nothing is moved. What is left takes TCP with all options and a short
/// payload.
pub const HEADROOM: usize = 72;

/// The parts of a packet: stretches of counted memory, in order. More than two are on the heap.
pub type Parts = SmallVec<[Bytes; 2]>;

/// The first bytes of a packet, written by who makes it. They lie apart and are there from the first byte on, for a
/// packet is handed on many times on its way. A short one that was received is nothing but a head.
#[derive(Default)]
pub struct Head {
    /// What is kept free, and the bytes; at most [`HEAD`], but of one that was filled or received.
    bytes: Vec<u8>,
    start: u16,
}

/// The longest head: a place in one is a number of 16 bits.
const LONGEST: usize = u16::MAX as usize;

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

impl Clone for Head {
    fn clone(&self) -> Self {
        if self.is_empty() {
            return Self::default();
        }
        // One that was received may be longer than what has room in a head, and has nothing kept free before it.
        let mut bytes = Vec::with_capacity(HEAD.max(HEADROOM + self.len()));
        bytes.extend_from_slice(&[0; HEADROOM]);
        bytes.extend_from_slice(self.bytes());
        Self { bytes, start: HEADROOM as u16 }
    }
}

impl Head {
    /// A copy of bytes that were received, before which nothing has to be put; `None` if they are 64 KB or more.
    #[must_use]
    #[inline]
    pub fn received(bytes: &[u8]) -> Option<Self> {
        if bytes.len() > LONGEST {
            return None;
        }
        let mut head = Self { bytes: Vec::with_capacity(bytes.len().max(HEAD)), start: 0 };
        head.bytes.extend_from_slice(bytes);
        Some(head)
    }

    /// A payload that `fill` gives, `most` bytes of it at most: it may be longer than a head has room for otherwise.
    /// Headers are put before it.
    #[must_use]
    #[inline]
    pub fn filled(most: usize, fill: impl FnOnce(&mut Unfilled<'_>)) -> Self {
        let mut bytes = Vec::with_capacity(HEADROOM + most);
        bytes.extend_from_slice(&[0; HEADROOM]);
        unfilled::append(&mut bytes, most, fill);
        Self { bytes, start: HEADROOM as u16 }
    }

    /// A copy of a payload.
    #[must_use]
    pub fn payload(bytes: &[u8]) -> Self {
        Self::filled(bytes.len(), |to| {
            to.put(bytes);
        })
    }

    /// As [`Head::prepend`], of two headers at once, of the second one its first `length` bytes.
    #[inline]
    pub fn prepend_two<const A: usize, const B: usize>(
        &mut self,
        first: &[u8; A],
        (second, length): (&[u8; B], usize),
    ) -> bool {
        let Some(start) = usize::from(self.start).checked_sub(A + length) else { return false };
        let Some((to, rest)) = self.bytes.get_mut(start..).and_then(<[u8]>::split_first_chunk_mut) else {
            return false;
        };
        *to = *first;
        match rest.first_chunk_mut() {
            Some(to) if length == B => *to = *second,
            _ => copy_some(&mut rest[..length], &second[..length]),
        }
        self.start = start as u16;
        true
    }

    /// Takes all bytes away, and keeps the memory.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.start = 0;
    }

    /// Makes memory, and room before the first byte.
    #[inline]
    fn begin(&mut self) {
        if self.bytes.is_empty() {
            if self.bytes.capacity() == 0 {
                self.bytes = Vec::with_capacity(HEAD);
            }
            self.bytes.extend_from_slice(&[0; HEADROOM]);
            self.start = HEADROOM as u16;
        }
    }

    /// Adds bytes behind those that are there; `false` if there is no room for them, and nothing is added.
    #[inline]
    pub fn push(&mut self, bytes: &[u8]) -> bool {
        let fits = bytes.len() <= self.room();
        if fits {
            self.begin();
            self.bytes.extend_from_slice(bytes);
        }
        fits
    }

    /// As [`Head::push`], of so many bytes that it is known when this is compiled.
    #[inline(always)]
    pub fn push_array<const N: usize>(&mut self, bytes: &[u8; N]) -> bool {
        let fits = N <= self.room();
        if fits {
            self.begin();
            self.bytes.extend_from_slice(bytes);
        }
        fits
    }

    /// Makes it longer by `length` bytes at its end and gives these, or `None` if there is no room. They are zeros.
    #[inline]
    pub fn grow(&mut self, length: usize) -> Option<&mut [u8]> {
        if length > self.room() {
            return None;
        }
        self.begin();
        let before = self.bytes.len();
        self.bytes.resize(before + length, 0);
        self.bytes.get_mut(before..)
    }

    /// Puts bytes before those that are there; `false` if there is no room for them, and nothing changes.
    #[inline]
    pub fn prepend(&mut self, bytes: &[u8]) -> bool {
        self.begin();
        let end = usize::from(self.start);
        let Some(start) = end.checked_sub(bytes.len()) else { return false };
        self.bytes[start..end].copy_from_slice(bytes);
        self.start = start as u16;
        true
    }

    /// Bytes that [`Head::push`] has room for.
    #[must_use]
    #[inline]
    pub fn room(&self) -> usize {
        HEAD.saturating_sub(if self.bytes.is_empty() { HEADROOM } else { self.bytes.len() })
    }

    /// Its length in bytes.
    #[must_use]
    #[inline]
    pub fn len(&self) -> usize {
        self.bytes.len() - usize::from(self.start)
    }

    /// Whether it has no bytes.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Its bytes.
    #[must_use]
    #[inline]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[self.start.into()..]
    }

    /// Its bytes, to be changed.
    #[inline]
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.bytes[self.start.into()..]
    }

    /// Takes the first bytes away, as many as `count` or all.
    #[inline]
    pub fn advance(&mut self, count: usize) {
        self.start += count.min(self.len()) as u16;
    }

    /// Keeps the first `length` bytes, if there are more.
    #[inline]
    pub fn truncate(&mut self, length: usize) {
        self.bytes.truncate(usize::from(self.start) + length);
    }
}

/// A copy of few bytes. Apart, so that those of a length that is known are moved without a call.
#[cold]
#[inline(never)]
fn copy_some(to: &mut [u8], from: &[u8]) {
    to.copy_from_slice(from);
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
