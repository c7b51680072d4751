//! The bytes in a pipe: a ring that grows up to its capacity.

use alloc::vec::Vec;

use super::{ATOMIC, CAPACITY};
use crate::{FileError, Sink, Source};

pub struct Ring {
    /// Memory taken so far; empty until the first byte.
    bytes: Vec<u8>,
    start: usize,
    length: usize,
    capacity: usize,
}

impl Ring {
    pub const fn new() -> Self {
        Self { bytes: Vec::new(), start: 0, length: 0, capacity: CAPACITY }
    }

    pub const fn length(&self) -> usize {
        self.length
    }

    pub const fn capacity(&self) -> usize {
        self.capacity
    }

    pub const fn room(&self) -> usize {
        self.capacity - self.length
    }

    /// Changes the capacity; [`FileError::Busy`] if it holds more.
    pub fn set_capacity(&mut self, capacity: usize) -> Result<(), FileError> {
        if capacity < self.length {
            return Err(FileError::Busy);
        }
        if capacity < self.bytes.len() {
            self.reallocate(capacity)?;
        }
        self.capacity = capacity;
        Ok(())
    }

    /// Gives bytes to `sink`; says how many.
    pub fn read(&mut self, sink: &mut dyn Sink) -> usize {
        let mut total = 0;
        // At most two pieces: up to the end of memory, and from its beginning.
        for _ in 0..2 {
            let end = (self.start + self.length).min(self.bytes.len());
            let count = sink.put(&self.bytes[self.start..end]);
            self.start += count;
            self.length -= count;
            total += count;
            if self.start == self.bytes.len() {
                self.start = 0;
            }
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
        self.reserve(source.left().min(self.room()))?;
        let mut total = 0;
        for _ in 0..2 {
            let size = self.bytes.len();
            let free = size - self.length;
            if free == 0 {
                break;
            }
            let end = (self.start + self.length) % size;
            let piece = free.min(size - end);
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
