//! The bytes in a pipe: a ring that grows up to its capacity.

use alloc::{collections::VecDeque, vec::Vec};

use super::{ATOMIC, CAPACITY};
use crate::{FileError, Moved, ShortSink, ShortSource, Sink, Source};

pub struct Ring {
    /// Memory taken so far; empty until the first byte.
    bytes: Vec<u8>,
    start: usize,
    length: usize,
    capacity: usize,
    /// What is kept apart, if anything is.
    packets: VecDeque<Packet>,
    /// Bytes behind the last packet, while there are any.
    behind: usize,
    /// Bytes that nobody else has of the packets' pages.
    unused: usize,
}

/// Bytes that were written as one and are read as one.
struct Packet {
    /// Bytes of no packet that stand before it.
    before: usize,
    /// Its own.
    length: usize,
}

impl Ring {
    pub const fn new() -> Self {
        Self {
            bytes: Vec::new(),
            start: 0,
            length: 0,
            capacity: CAPACITY,
            packets: VecDeque::new(),
            behind: 0,
            unused: 0,
        }
    }

    pub const fn length(&self) -> usize {
        self.length
    }

    pub const fn capacity(&self) -> usize {
        self.capacity
    }

    pub const fn room(&self) -> usize {
        self.capacity - self.length - self.unused
    }

    /// Changes the capacity; [`FileError::Busy`] if it holds more.
    pub fn set_capacity(&mut self, capacity: usize) -> Result<(), FileError> {
        if capacity < self.length + self.unused {
            return Err(FileError::Busy);
        }
        if capacity < self.bytes.len() {
            self.reallocate(capacity)?;
        }
        self.capacity = capacity;
        Ok(())
    }

    /// Gives bytes to `sink`; says how many. A packet is the last of them, and what of it has no room is gone.
    pub fn read(&mut self, sink: &mut dyn Sink) -> usize {
        if self.packets.is_empty() {
            return self.give(sink, usize::MAX);
        }
        self.read_packet(sink)
    }

    #[cold]
    fn read_packet(&mut self, sink: &mut dyn Sink) -> usize {
        let Some(&Packet { before, length }) = self.packets.front() else { return 0 };
        let count = self.give(sink, before);
        if let Some(packet) = self.packets.front_mut() {
            packet.before -= count;
        }
        let wanted = length.min(sink.room());
        if count < before || wanted == 0 {
            return count;
        }
        let taken = self.give(sink, wanted);
        if taken < wanted {
            // The reader's memory does not work: the rest is the packet's still.
            if let Some(packet) = self.packets.front_mut() {
                packet.length -= taken;
                self.unused += taken;
            }
            return count + taken;
        }
        self.skip(length - taken);
        self.packets.pop_front();
        self.unused -= ATOMIC - length;
        count + taken
    }

    /// Gives `sink` what there is, at most `count` bytes, and takes them out; how many. `None` if there is nothing, if
    /// they do not lie together, or if `sink` could not.
    #[inline]
    pub fn read_short(&mut self, count: usize, sink: ShortSink) -> Moved {
        let count = count.min(self.length);
        let bytes = self.bytes.get(self.start..self.start + count)?;
        if count == 0 || !self.packets.is_empty() {
            return None;
        }
        let moved = sink.put(bytes)?;
        self.start += count;
        self.length -= count;
        if self.length == 0 || self.start == self.bytes.len() {
            self.start = 0;
        }
        Some(moved)
    }

    /// Has `source` fill `count` bytes, which are here then. `None` if there is no room, no memory for them yet, if
    /// they would not lie together, or if `source` could not.
    #[inline]
    pub fn write_short(&mut self, count: usize, source: ShortSource) -> Moved {
        let end = self.start + self.length;
        let room = self.room();
        let bytes = self.bytes.get_mut(end..end + count)?;
        if count > room || !self.packets.is_empty() {
            return None;
        }
        let moved = source.fill(bytes)?;
        self.length += count;
        Some(moved)
    }

    fn skip(&mut self, count: usize) {
        self.length -= count;
        self.start = if self.length == 0 { 0 } else { (self.start + count) % self.bytes.len() };
    }

    fn give(&mut self, sink: &mut dyn Sink, most: usize) -> usize {
        let mut total = 0;
        // At most two pieces: up to the end of memory, and from its beginning.
        for _ in 0..2 {
            let end = (self.start + self.length.min(most - total)).min(self.bytes.len());
            let count = sink.put(&self.bytes[self.start..end]);
            self.start += count;
            self.length -= count;
            total += count;
            if self.start < self.bytes.len() {
                break;
            }
            self.start = 0;
        }
        if self.length == 0 {
            self.start = 0;
        }
        total
    }

    /// Gives bytes to `sink` and keeps them; says how many.
    pub fn peek(&self, sink: &mut dyn Sink) -> usize {
        let end = (self.start + self.length).min(self.bytes.len());
        let first = &self.bytes[self.start..end];
        let count = sink.put(first);
        if count < first.len() { count } else { count + sink.put(&self.bytes[..self.length - count]) }
    }

    /// Takes bytes from `source` while there is room; says how many.
    pub fn write(&mut self, source: &mut dyn Source) -> Result<usize, FileError> {
        let count = self.take(source, self.room())?;
        if !self.packets.is_empty() {
            self.behind += count;
        }
        Ok(count)
    }

    /// Takes packets from `source` while there is a page for each; says how many bytes.
    pub fn write_packets(&mut self, source: &mut dyn Source) -> Result<usize, FileError> {
        let mut total = 0;
        while source.left() > 0 && self.room() >= ATOMIC {
            // Without packets nobody has counted what stands there.
            let before = if self.packets.is_empty() { self.length } else { self.behind };
            let length = self.take(source, ATOMIC)?;
            if length == 0 {
                break;
            }
            self.packets.push_back(Packet { before, length });
            (self.behind, self.unused) = (0, self.unused + ATOMIC - length);
            total += length;
        }
        Ok(total)
    }

    fn take(&mut self, source: &mut dyn Source, most: usize) -> Result<usize, FileError> {
        let most = most.min(source.left());
        self.reserve(most)?;
        let mut total = 0;
        for _ in 0..2 {
            let size = self.bytes.len();
            let free = size - self.length;
            if free == 0 {
                break;
            }
            let end = (self.start + self.length) % size;
            let piece = free.min(size - end).min(most - total);
            if piece == 0 {
                break;
            }
            let count = source.take(&mut self.bytes[end..end + piece]);
            self.length += count;
            total += count;
        }
        Ok(total)
    }

    /// Takes memory for `more` bytes, which fit into the capacity.
    fn reserve(&mut self, more: usize) -> Result<(), FileError> {
        let needed = self.length + more;
        if needed <= self.bytes.len() {
            return Ok(());
        }
        self.reallocate(needed.next_power_of_two().clamp(ATOMIC, self.capacity.max(ATOMIC)))
    }

    fn reallocate(&mut self, size: usize) -> Result<(), FileError> {
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(size).map_err(|_| FileError::NoSpace)?;
        let end = (self.start + self.length).min(self.bytes.len());
        bytes.extend_from_slice(&self.bytes[self.start..end]);
        let wrapped = self.length - bytes.len();
        bytes.extend_from_slice(&self.bytes[..wrapped]);
        bytes.resize(size, 0);
        self.bytes = bytes;
        self.start = 0;
        Ok(())
    }
}
