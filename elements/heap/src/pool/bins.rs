//! Free blocks by size: a list for each step of [`classes`], and a bit for each list that is not empty.

use core::ptr::null_mut;

use super::Header;
use crate::classes;

/// Lists; the last one holds all blocks of 3.75 GB and more.
const COUNT: usize = classes::index(u32::MAX as usize) + 1;
const LAST: usize = COUNT - 1;
const BITS: usize = u64::BITS as usize;

/// The lists. Their blocks' links lie behind the headers.
pub struct Bins {
    lists: [*mut Header; COUNT],
    filled: [u64; COUNT.div_ceil(BITS)],
}

impl Bins {
    /// All empty.
    pub const fn new() -> Self {
        Self { lists: [null_mut(); COUNT], filled: [0; COUNT.div_ceil(BITS)] }
    }

    fn list(bytes: usize) -> usize {
        classes::index(bytes).min(LAST)
    }

    /// Adds a free block.
    ///
    /// # Safety
    /// The block is nobody's and in no list.
    pub unsafe fn insert(&mut self, block: *mut Header) {
        // SAFETY: the block and the first one of its list are free blocks, which have room for links.
        unsafe {
            let list = Self::list((*block).bytes());
            let next = self.lists[list];
            (*Header::links(block)).next = next;
            (*Header::links(block)).previous = null_mut();
            if !next.is_null() {
                (*Header::links(next)).previous = block;
            }
            self.lists[list] = block;
            self.filled[list / BITS] |= 1 << (list % BITS);
        }
    }

    /// Takes a free block out.
    ///
    /// # Safety
    /// It is in its list.
    pub unsafe fn remove(&mut self, block: *mut Header) {
        // SAFETY: the block and its neighbours in the list are free blocks of this pool.
        unsafe {
            let (next, previous) = ((*Header::links(block)).next, (*Header::links(block)).previous);
            if !next.is_null() {
                (*Header::links(next)).previous = previous;
            }
            if !previous.is_null() {
                (*Header::links(previous)).next = next;
                return;
            }
            let list = Self::list((*block).bytes());
            self.lists[list] = next;
            if next.is_null() {
                self.filled[list / BITS] &= !(1 << (list % BITS));
            }
        }
    }

    /// A free block of at least so many bytes, or null. It stays in its list.
    pub fn find(&self, bytes: usize) -> *mut Header {
        let from = Self::list(bytes.saturating_add(classes::step(bytes) - 1));
        let mut mask = u64::MAX << (from % BITS);
        for word in from / BITS..self.filled.len() {
            let bits = self.filled[word] & mask;
            if bits != 0 {
                return self.large_enough(word * BITS + bits.trailing_zeros() as usize, bytes);
            }
            mask = u64::MAX;
        }
        null_mut()
    }

    /// Every block of a list is large enough, except for the last list's.
    fn large_enough(&self, list: usize, bytes: usize) -> *mut Header {
        let mut block = self.lists[list.min(LAST)];
        // SAFETY: blocks in lists are free blocks.
        while list == LAST && !block.is_null() && unsafe { (*block).bytes() } < bytes {
            // SAFETY: as above.
            block = unsafe { (*Header::links(block)).next };
        }
        block
    }
}
