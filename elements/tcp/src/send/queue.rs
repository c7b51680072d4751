//! The bytes that a program has written and the other side has not acknowledged yet.
//!
//! They lie in counted chunks, which packets share: the first transmission, later ones, and the device's. Nothing is
//! copied but what is so small that a reference would cost more.

use alloc::collections::VecDeque;

use bytes::{Bytes, BytesMut};
use packets::{Packet, tcp::SequenceNumber};

/// The most memory that one chunk of copied bytes takes.
const CHUNK: usize = 32 * 1024;
/// The least, so that small writes one after another share it.
const SMALL_CHUNK: usize = 512;
/// What one grows to instead of another, where answers are longer: they lie together, and are kept for the next ones.
const GROWN_CHUNK: usize = 2048;
/// Pieces below it are copied together when a packet would otherwise have many parts. A device has few descriptors.
const COPY_BELOW: usize = 4096;

#[derive(Debug, Default)]
pub struct Queue {
    /// The number of the first byte.
    start: SequenceNumber,
    chunks: VecDeque<Chunk>,
    /// The last bytes, behind all chunks, and room for more.
    tail: BytesMut,
    length: u32,
}

#[derive(Debug)]
struct Chunk {
    start: SequenceNumber,
    bytes: Bytes,
    /// It is the program's own memory, which is not copied however short it is.
    lent: bool,
}

impl Queue {
    pub fn new(start: SequenceNumber) -> Self {
        Self { start, ..Self::default() }
    }

    /// Memory besides the bytes of chunks.
    #[cfg(test)]
    pub fn footprint(&self) -> usize {
        self.chunks.capacity() * size_of::<Chunk>() + self.tail.capacity()
    }

    /// The number behind the last byte.
    pub fn end(&self) -> SequenceNumber {
        self.start + self.length
    }

    /// Whether it is empty and has memory.
    pub fn keeps_memory(&self) -> bool {
        self.length == 0 && self.tail.capacity() > 0
    }

    pub const fn len(&self) -> usize {
        self.length as usize
    }

    /// So many bytes have gone another way, while it was empty.
    pub fn pass(&mut self, count: u32) {
        self.start += count;
    }

    /// Adds a copy of bytes.
    #[inline(always)]
    pub fn push(&mut self, mut bytes: &[u8]) {
        let wanted = self.tail.len() + bytes.len();
        if wanted > self.tail.capacity() && !self.tail.is_empty() && self.chunks.is_empty() && wanted <= GROWN_CHUNK {
            self.tail.reserve(GROWN_CHUNK - self.tail.len());
        }
        while !bytes.is_empty() {
            if self.tail.len() == self.tail.capacity() && !(self.tail.is_empty() && self.tail.try_reclaim(SMALL_CHUNK))
            {
                self.freeze();
                self.tail = BytesMut::with_capacity(bytes.len().clamp(SMALL_CHUNK, CHUNK));
            }
            let room = bytes.len().min(self.tail.capacity() - self.tail.len());
            self.tail.extend_from_slice(&bytes[..room]);
            self.length += room as u32;
            bytes = &bytes[room..];
        }
    }

    /// Adds bytes and keeps their memory.
    pub fn push_shared(&mut self, bytes: Bytes) {
        if bytes.len() < SMALL_CHUNK {
            return self.push(&bytes);
        }
        self.push_whole(bytes, false);
    }

    /// As [`Queue::push_shared`], and copies none of it.
    pub fn push_lent(&mut self, bytes: Bytes) {
        self.push_whole(bytes, true);
    }

    fn push_whole(&mut self, bytes: Bytes, lent: bool) {
        self.freeze();
        let start = self.end();
        self.length += bytes.len() as u32;
        self.chunks.push_back(Chunk { start, bytes, lent });
    }

    /// Gives memory back if it is empty.
    pub fn release(&mut self) {
        if self.length == 0 {
            self.chunks = VecDeque::new();
            self.tail = BytesMut::new();
        }
    }

    /// Makes the tail's bytes a chunk. The room behind them stays.
    fn freeze(&mut self) {
        if !self.tail.is_empty() {
            let start = self.end() - self.tail.len() as u32;
            let bytes = self.tail.split().freeze();
            self.chunks.push_back(Chunk { start, bytes, lent: false });
        }
    }

    /// Forgets the bytes before `to`, and says how many they were.
    #[inline(always)]
    pub fn acknowledge(&mut self, to: SequenceNumber) -> u32 {
        let count = (to - self.start).min(self.length);
        self.start += count;
        self.length -= count;
        if self.length == 0 {
            // One that goes on with small writes gets no memory for each. An idle one is told to release it.
            self.chunks.clear();
            self.tail.clear();
            if self.tail.capacity() > GROWN_CHUNK {
                self.tail = BytesMut::new();
            }
            return count;
        }
        while let Some(chunk) = self.chunks.front_mut() {
            let gone = (self.start - chunk.start).min(chunk.bytes.len() as u32);
            if (gone as usize) < chunk.bytes.len() {
                // A chunk's bytes are given back as a whole; its slice only moves.
                let _ = chunk.bytes.split_to(gone as usize);
                chunk.start += gone;
                return count;
            }
            self.chunks.pop_front();
        }
        let behind = self.end() - self.tail.len() as u32;
        let _ = self.tail.split_to((self.start - behind) as usize);
        count
    }

    /// Puts `length` bytes from `from` on behind the head of a packet. They are in the queue.
    pub fn gather(&mut self, from: SequenceNumber, length: usize, packet: &mut Packet) {
        let tail_start = self.end() - self.tail.len() as u32;
        if self.chunks.is_empty() && length <= packet.head.room() {
            let skip = (from - tail_start) as usize;
            packet.head.push(&self.tail[skip..skip + length]);
            return;
        }
        let lent = self.chunks.get(self.find(from)).is_some_and(|chunk| chunk.lent);
        if length <= packet.head.room() && !lent {
            return self.copy(from, length, packet);
        }
        if tail_start.is_before(from + length as u32) {
            self.freeze();
        }
        let mut at = from;
        let mut left = length;
        let mut index = self.find(from);
        let mut small = BytesMut::new();
        while let (Some(chunk), 1..) = (self.chunks.get(index), left) {
            let skip = (at - chunk.start) as usize;
            let count = left.min(chunk.bytes.len() - skip);
            if !chunk.lent && count < COPY_BELOW && count < length {
                small.extend_from_slice(&chunk.bytes[skip..skip + count]);
            } else {
                if !small.is_empty() {
                    packet.parts.push(small.split().freeze());
                }
                packet.parts.push(chunk.bytes.slice(skip..skip + count));
            }
            at += count as u32;
            left -= count;
            index += 1;
        }
        if !small.is_empty() {
            packet.parts.push(small.freeze());
        }
    }

    /// As [`Queue::gather`], into the head itself.
    fn copy(&self, from: SequenceNumber, length: usize, packet: &mut Packet) {
        let mut at = from;
        let mut left = length;
        for chunk in self.chunks.range(self.find(from)..) {
            let skip = (at - chunk.start) as usize;
            let count = left.min(chunk.bytes.len() - skip);
            packet.head.push(&chunk.bytes[skip..skip + count]);
            at += count as u32;
            left -= count;
            if left == 0 {
                return;
            }
        }
        let skip = (at - (self.end() - self.tail.len() as u32)) as usize;
        packet.head.push(&self.tail[skip..skip + left]);
    }

    /// The chunk that a byte is in, or the number of chunks for one in the tail.
    fn find(&self, at: SequenceNumber) -> usize {
        self.chunks.partition_point(|chunk| (chunk.start + chunk.bytes.len() as u32).is_at_most(at))
    }
}
