//! The record of a system call, as the kernel makes it.

use alloc::vec::Vec;

use crate::{CALL, WORD};

/// Bytes before the pieces of memory.
pub const FIXED: usize = 2 + 8 * WORD;
/// Where the result stands.
const RESULT: usize = FIXED - WORD;

/// The bit of a piece's first byte that says that there was more.
pub const MORE: u8 = 0x80;

/// A record about one system call.
#[derive(Clone, Debug)]
pub struct Call {
    bytes: Vec<u8>,
}

impl Call {
    /// A call that has not answered, with the arguments it was made with, of one thread among several (0: it is alone).
    #[must_use]
    pub fn new(thread: u32, number: usize, arguments: &[usize; 6]) -> Self {
        let mut bytes = Vec::with_capacity(2 * FIXED);
        bytes.extend_from_slice(&[CALL, 0]);
        let number = number & u32::MAX as usize | (thread as usize) << u32::BITS;
        for word in [number].iter().chain(arguments).chain(&[0]) {
            bytes.extend_from_slice(&(*word as u64).to_le_bytes());
        }
        Self { bytes }
    }

    /// Adds what argument `index` (0 to 5) points at; `more` if that is not all of it. At most 65535 bytes fit.
    pub fn add(&mut self, index: usize, bytes: &[u8], more: bool) {
        let length = bytes.len().min(u16::MAX.into());
        let more = if more || length < bytes.len() { MORE } else { 0 };
        self.bytes.push(index as u8 | more);
        self.bytes.extend_from_slice(&(length as u16).to_le_bytes());
        self.bytes.extend_from_slice(&bytes[..length]);
    }

    /// Adds what the call answered: a negative error number or its result.
    pub fn set_result(&mut self, result: i64) {
        if let Some(fixed) = self.bytes.first_chunk_mut::<FIXED>() {
            fixed[1] = 1;
            fixed[RESULT..].copy_from_slice(&result.to_le_bytes());
        }
    }

    /// The record.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}
