//! A slab: blocks of one class, and at its start what they share. A block's slab is found by its address.
//!
//! The slab's words lie behind the header that [`crate::pool`] gives every block, and it is this header that is
//! aligned to the slab's size.

use core::ptr::{NonNull, null_mut};

use super::class;
use crate::pool::HEADER;

/// Where the first block lies, from the header on: behind the slab's words, and aligned as blocks may be.
const FIRST: usize = 64;
const _: () = assert!(HEADER + size_of::<Slab>() <= FIRST);

/// A free block: it holds the next one's address, or null.
pub struct Free {
    pub next: *mut Free,
}

pub struct Slab {
    /// The next and the previous slab of the class with room.
    pub next: *mut Slab,
    pub previous: *mut Slab,
    /// Blocks that came back.
    free: *mut Free,
    /// Where the next block is cut, from the header on; blocks behind have never been used.
    fresh: u32,
    /// Blocks that are not here.
    used: u32,
}

impl Slab {
    /// Begins a slab in a block of the pool.
    ///
    /// # Safety
    /// The block was allocated as a slab and is nobody else's.
    pub unsafe fn begin(block: NonNull<u8>) -> *mut Self {
        let slab = block.as_ptr().cast::<Self>();
        let empty = Self { next: null_mut(), previous: null_mut(), free: null_mut(), fresh: FIRST as u32, used: 0 };
        // SAFETY: the block is ours and much larger than these words.
        unsafe { slab.write(empty) };
        slab
    }

    /// The slab that a block of this class lies in.
    pub fn of(block: *mut Free, class: usize) -> *mut Self {
        let header = block.map_addr(|address| address & !(class::slab(class) - 1));
        header.wrapping_byte_add(HEADER).cast()
    }

    /// The pool's block that this slab is.
    pub const fn block(slab: *mut Self) -> Option<NonNull<u8>> {
        NonNull::new(slab.cast())
    }

    /// Whether no block is left in it.
    pub fn is_full(&self, class: usize) -> bool {
        self.free.is_null() && self.fresh as usize + class::bytes(class) > class::slab(class)
    }

    /// Whether all blocks are in it.
    pub const fn is_empty(&self) -> bool {
        self.used == 0
    }

    /// Takes a block out.
    ///
    /// # Safety
    /// `slab` is a slab of this class that is not full.
    pub unsafe fn take(slab: *mut Self, class: usize) -> *mut Free {
        // SAFETY: blocks in the list are free, and hold what `put` has written there.
        unsafe {
            (*slab).used += 1;
            let block = (*slab).free;
            if !block.is_null() {
                (*slab).free = (*block).next;
                return block;
            }
            let block = slab.byte_add((*slab).fresh as usize - HEADER).cast();
            (*slab).fresh += class::bytes(class) as u32;
            block
        }
    }

    /// Puts a block back.
    ///
    /// # Safety
    /// The block came from this slab and is not used any more.
    pub unsafe fn put(slab: *mut Self, block: *mut Free) {
        // SAFETY: as the caller promises.
        unsafe {
            (*block).next = (*slab).free;
            (*slab).free = block;
            (*slab).used -= 1;
        }
    }
}
