//! An arena: contiguous pages, and a bit for each place in them where a free block may begin.

use core::ptr::{NonNull, null_mut};

/// The least block is two to the power of this many bytes, room for a [`Free`].
pub const LEAST_ORDER: u32 = 5;
const LEAST: usize = 1 << LEAST_ORDER;
/// Places of which one byte of the bitmap tells.
const PLACES: usize = u8::BITS as usize;
const _: () = assert!(size_of::<Free>() <= LEAST);

/// A free block's words.
pub struct Free {
    pub next: *mut Free,
    pub previous: *mut Free,
    pub order: u32,
}

/// The words at an arena's start; its bitmap lies behind them.
pub struct Arena {
    pub next: *mut Arena,
    /// Bytes, these words and the bitmap included.
    pub bytes: usize,
    /// Blocks in use.
    pub used: usize,
}

impl Arena {
    /// Bytes of pages in which an aligned block of that order has room; `None` if there is no such number.
    pub fn bytes_for(order: u32) -> Option<usize> {
        // Wherever the pages begin, an aligned block lies in twice its size; and a page holds the words before it.
        let twice = 1_usize.checked_shl(order + 1)?;
        twice.checked_add(twice / (LEAST * PLACES / 2))?.checked_add(4096)
    }

    /// Begins an arena with no free block.
    ///
    /// # Safety
    /// The memory is writable, aligned to a page and nobody else's.
    pub unsafe fn begin(memory: NonNull<[u8]>) -> *mut Self {
        let arena = memory.as_ptr().cast::<Self>();
        let bytes = memory.len();
        // SAFETY: words and bitmap lie in the memory, which is ours.
        unsafe {
            arena.write(Self { next: null_mut(), bytes, used: 0 });
            arena.add(1).cast::<u8>().write_bytes(0, bytes / LEAST / PLACES);
        }
        arena
    }

    /// The whole of it, as [`Arena::begin`] got it.
    pub fn memory(&self, arena: NonNull<Self>) -> NonNull<[u8]> {
        NonNull::slice_from_raw_parts(arena.cast(), self.bytes)
    }

    /// Where blocks may begin: the first place behind the bitmap, from the arena's start on.
    pub const fn first(&self) -> usize {
        (size_of::<Self>() + self.bytes / LEAST / PLACES).next_multiple_of(LEAST)
    }

    /// Whether an address lies in it.
    pub fn contains(arena: *mut Self, address: usize) -> bool {
        // SAFETY: arenas in the list are there.
        address.wrapping_sub(arena.addr()) < unsafe { (*arena).bytes }
    }

    /// The byte of the bitmap and the bit in it for the block at an offset.
    fn bit(arena: *mut Self, offset: usize) -> (*mut u8, u8) {
        let place = offset / LEAST;
        (arena.wrapping_add(1).cast::<u8>().wrapping_add(place / PLACES), 1 << (place % PLACES))
    }

    /// Notes whether a free block begins at an offset.
    ///
    /// # Safety
    /// The offset lies in the arena.
    pub unsafe fn mark(arena: *mut Self, offset: usize, free: bool) {
        let (byte, bit) = Self::bit(arena, offset);
        // SAFETY: the bitmap has a bit for each place of the arena.
        unsafe { *byte = if free { *byte | bit } else { *byte & !bit } };
    }

    /// The free block of that order at an offset, if one is there.
    pub fn free_block(arena: *mut Self, offset: usize, order: u32) -> Option<NonNull<Free>> {
        // SAFETY: the arena is one of the list's, and an offset within it has a bit; a bit stands for a free block.
        unsafe {
            let (first, bytes) = ((*arena).first(), (*arena).bytes);
            if offset < first || offset.checked_add(1 << order)? > bytes {
                return None;
            }
            let (byte, bit) = Self::bit(arena, offset);
            let block = arena.byte_add(offset).cast::<Free>();
            if *byte & bit == 0 || (*block).order != order {
                return None;
            }
            NonNull::new(block)
        }
    }
}
