//! Bytes in the order they came, in memory of someone else's.

#[derive(Debug)]
pub(super) struct Ring<'b> {
    storage: &'b mut [u8],
    start: usize,
    length: usize,
}

impl<'b> Ring<'b> {
    pub(super) const fn new() -> Self {
        Self { storage: &mut [], start: 0, length: 0 }
    }

    /// Changes the memory; what was in the ring is lost.
    pub(super) fn replace(&mut self, storage: &'b mut [u8]) {
        *self = Self { storage, start: 0, length: 0 };
    }

    pub(super) const fn capacity(&self) -> usize {
        self.storage.len()
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.length == 0
    }

    pub(super) const fn free(&self) -> usize {
        self.storage.len() - self.length
    }

    pub(super) fn clear(&mut self) {
        self.length = 0;
    }

    /// Appends as much as there is room for.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        let bytes = &bytes[..bytes.len().min(self.free())];
        if bytes.is_empty() {
            return;
        }
        let end = (self.start + self.length) % self.storage.len();
        let (first, second) = bytes.split_at(bytes.len().min(self.storage.len() - end));
        self.storage[end..end + first.len()].copy_from_slice(first);
        self.storage[..second.len()].copy_from_slice(second);
        self.length += bytes.len();
    }

    /// Takes from the front, as much as there is and fits; returns how much.
    pub(super) fn pop(&mut self, buffer: &mut [u8]) -> usize {
        let count = buffer.len().min(self.length);
        if count == 0 {
            return 0;
        }
        let (first, second) = buffer[..count].split_at_mut(count.min(self.storage.len() - self.start));
        first.copy_from_slice(&self.storage[self.start..self.start + first.len()]);
        second.copy_from_slice(&self.storage[..second.len()]);
        self.length -= count;
        // Starting anew keeps later pieces in one part.
        self.start = if self.length == 0 { 0 } else { (self.start + count) % self.storage.len() };
        count
    }
}
