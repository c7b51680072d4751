//! Strings as programs are given them.

use alloc::vec::Vec;

/// A list of strings: one behind the other, a NUL behind each.
#[derive(Clone, Debug, Default)]
pub struct Strings {
    bytes: Vec<u8>,
    count: usize,
}

impl Strings {
    /// None.
    #[must_use]
    pub const fn new() -> Self {
        Self { bytes: Vec::new(), count: 0 }
    }

    /// Adds a string; it has no NUL of its own.
    #[inline(never)]
    pub fn push(&mut self, string: &[u8]) {
        self.bytes.extend_from_slice(string);
        self.bytes.push(0);
        self.count += 1;
    }

    /// Adds the strings of `other` behind its first.
    pub fn push_rest(&mut self, other: &Self) {
        let first = other.bytes.iter().position(|&byte| byte == 0).map_or(0, |end| end + 1);
        self.bytes.extend_from_slice(&other.bytes[first..]);
        self.count += other.count.saturating_sub(1);
    }

    /// How many there are.
    #[must_use]
    pub const fn count(&self) -> usize {
        self.count
    }

    /// All of them with their NULs.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}
