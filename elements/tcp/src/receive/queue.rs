//! The bytes that have come in order and wait for their reader.
//!
//! Large segments are queued as the memory that they came in. Small ones are copied behind the last, so that the memory
//! held follows the bytes and not the segments: a buffer of 2 KB for each byte is an attack.

use alloc::collections::VecDeque;

use bytes::{Buf, Bytes, BytesMut};
use unfilled::Unfilled;

/// Segments below it are copied.
pub const COPY_BELOW: usize = 256;
/// The most memory that copied bytes lie in together.
const CHUNK: usize = 4096;
/// What a queue keeps that is empty, until it is told to release it.
const SMALL: usize = 2048;

/// Bytes in order.
#[derive(Debug, Default)]
pub struct Queue {
    parts: VecDeque<Bytes>,
    /// The last bytes: those that were copied.
    tail: BytesMut,
    length: usize,
}

impl Queue {
    /// Whether it is empty and has memory.
    pub fn keeps_memory(&self) -> bool {
        self.length == 0 && self.tail.capacity() > 0
    }

    pub const fn len(&self) -> usize {
        self.length
    }

    /// Memory besides the bytes of parts.
    #[cfg(test)]
    pub fn footprint(&self) -> usize {
        self.parts.capacity() * size_of::<Bytes>() + self.tail.capacity()
    }

    pub const fn is_empty(&self) -> bool {
        self.length == 0
    }

    pub fn push(&mut self, part: Bytes) {
        if part.len() < COPY_BELOW {
            return self.push_copy(&part);
        }
        self.length += part.len();
        self.freeze();
        self.parts.push_back(part);
    }

    /// Adds a copy of short bytes.
    #[inline(always)]
    pub fn push_copy(&mut self, part: &[u8]) {
        self.length += part.len();
        if self.tail.capacity() - self.tail.len() < part.len() && !self.has_old_room(part.len()) {
            self.freeze();
            // Twice what there is, so that a stream of single bytes takes few chunks, and one byte a small one.
            let room = (2 * self.length).clamp(64, CHUNK).max(part.len());
            self.tail = BytesMut::with_capacity(room);
        }
        self.tail.extend_from_slice(part);
    }

    /// Whether the tail has been read and its memory has room for so many bytes: then it is used again.
    fn has_old_room(&mut self, count: usize) -> bool {
        self.tail.is_empty() && self.tail.try_reclaim(count)
    }

    fn freeze(&mut self) {
        if !self.tail.is_empty() {
            self.parts.push_back(self.tail.split().freeze());
        }
        self.tail = BytesMut::new();
    }

    /// Adds all of another queue.
    pub fn append(&mut self, mut other: Self) {
        other.freeze();
        for part in other.parts {
            self.push(part);
        }
    }

    /// Gives the memory of the next bytes, `most` at most.
    pub fn take(&mut self, most: usize) -> Option<Bytes> {
        if self.parts.is_empty() {
            self.freeze();
        }
        let first = self.parts.front_mut()?;
        let part = if first.len() > most { first.split_to(most) } else { self.parts.pop_front()? };
        self.length -= part.len();
        self.rest();
        Some(part)
    }

    /// Fills `to` with the next bytes, and forgets them: so many, which are there and which it has room for.
    #[inline]
    pub fn fill(&mut self, to: &mut Unfilled<'_>, count: usize) {
        if self.parts.is_empty() && count == self.tail.len() {
            // All that there is was copied, and is taken.
            to.put(&self.tail);
            self.length = 0;
            return self.rest();
        }
        let mut left = count;
        for part in self.parts.iter().map(|part| &**part).chain([&*self.tail]) {
            left -= to.put(&part[..left.min(part.len())]);
            if left == 0 {
                break;
            }
        }
        self.skip(count);
    }

    /// Copies the next bytes to `to`, and forgets them.
    pub fn read(&mut self, to: &mut [u8]) -> usize {
        let count = self.peek(0, to);
        self.skip(count);
        count
    }

    /// Forgets so many bytes that are there.
    pub fn skip(&mut self, mut count: usize) {
        self.length -= count;
        while let Some(first) = self.parts.front_mut() {
            if first.len() > count {
                first.advance(count);
                return;
            }
            count -= first.len();
            self.parts.pop_front();
        }
        self.tail.advance(count);
        self.rest();
    }

    /// Gives memory back if it is empty.
    pub fn release(&mut self) {
        if self.length == 0 {
            self.parts = VecDeque::new();
            self.tail = BytesMut::new();
        }
    }

    /// An empty queue holds little memory, so that who asks and is answered gets none for each.
    fn rest(&mut self) {
        if self.length == 0 {
            self.tail.clear();
            if self.tail.capacity() > SMALL {
                self.tail = BytesMut::new();
            }
        }
    }

    /// Copies bytes from `offset` on.
    pub fn peek(&self, mut offset: usize, to: &mut [u8]) -> usize {
        let mut done = 0;
        for part in self.parts.iter().map(|part| &**part).chain([&*self.tail]) {
            let skip = offset.min(part.len());
            offset -= skip;
            let count = (part.len() - skip).min(to.len() - done);
            to[done..done + count].copy_from_slice(&part[skip..skip + count]);
            done += count;
            if done == to.len() {
                break;
            }
        }
        done
    }
}
