//! Strings as programs are given them.

use alloc::vec::Vec;

/// A list of strings: one behind the other, a NUL behind each.
#[derive(Clone, Debug, Default)]
pub struct Strings {
    bytes: Vec<u8>,
    starts: Vec<u32>,
}

impl Strings {
    /// None.
    #[must_use]
    pub const fn new() -> Self {
        Self { bytes: Vec::new(), starts: Vec::new() }
    }

    /// None, with room for so many of so many bytes together: lists that every boot makes do not grow step by step.
    #[must_use]
    pub fn with_capacity(count: usize, bytes: usize) -> Self {
        Self { bytes: Vec::with_capacity(bytes), starts: Vec::with_capacity(count) }
    }

    /// Adds a string; it has no NUL of its own.
    #[inline(never)]
    pub fn push(&mut self, string: &[u8]) {
        self.starts.push(self.bytes.len() as u32);
        self.bytes.extend_from_slice(string);
        self.bytes.push(0);
    }

    /// Adds the strings of `other` behind its first.
    pub fn push_rest(&mut self, other: &Self) {
        let Some(&first) = other.starts.get(1) else { return };
        for string in other.bytes[first as usize..].split_inclusive(|&byte| byte == 0) {
            self.push(&string[..string.len() - 1]);
        }
    }

    /// How many there are.
    #[must_use]
    pub const fn count(&self) -> usize {
        self.starts.len()
    }

    /// Where each begins among [`Strings::bytes`].
    #[must_use]
    pub fn starts(&self) -> &[u32] {
        &self.starts
    }

    /// All of them with their NULs.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}
