//! Small blocks: a list of free ones per size, in front of the pool. Most allocations are small and of few sizes, and
//! a list serves one in ten instructions, the pool in a hundred and fifty.
//!
//! Blocks are cut from chunks and never joined again: a size that was much used keeps its memory for later.

use core::{alloc::Layout, ptr::NonNull};

/// Blocks are multiples of this many bytes and aligned to it.
const STEP: usize = 16;
/// Larger blocks are the pool's.
const LARGEST: usize = 512;
/// A chunk is this many bytes.
pub const CHUNK: Layout = match Layout::from_size_align(4096, STEP) {
    Ok(layout) => layout,
    Err(_) => unreachable!(),
};

/// A free block: it holds the next one's address.
struct Free(Option<NonNull<Free>>);

/// Free blocks by size, and a chunk from which new ones are cut.
pub struct Small {
    lists: [Option<NonNull<Free>>; LARGEST / STEP],
    /// What is left of the chunk: its address (or none) and bytes, a multiple of [`STEP`].
    chunk: *mut u8,
    left: usize,
}

// SAFETY: the blocks in it belong to nobody else.
unsafe impl Send for Small {}

/// The list for blocks of this layout; `None` if they are the pool's.
#[inline]
pub const fn class(layout: &Layout) -> Option<usize> {
    if layout.align() <= STEP && layout.size() <= LARGEST && layout.size() > 0 {
        Some((layout.size() - 1) / STEP)
    } else {
        None
    }
}

impl Small {
    /// Nothing free.
    pub const fn new() -> Self {
        Self { lists: [None; LARGEST / STEP], chunk: core::ptr::null_mut(), left: 0 }
    }

    /// A block of that class, or `None` when there is neither a free one nor enough left of the chunk.
    #[inline]
    pub fn take(&mut self, class: usize) -> Option<NonNull<u8>> {
        if let Some(block) = self.lists[class] {
            // SAFETY: a block in a list is free, and holds what `put` has written there.
            self.lists[class] = unsafe { block.as_ref() }.0;
            return Some(block.cast());
        }
        let bytes = (class + 1) * STEP;
        let block = NonNull::new(self.chunk).filter(|_| bytes <= self.left)?;
        self.chunk = self.chunk.wrapping_add(bytes);
        self.left -= bytes;
        Some(block)
    }

    /// Takes a block of that class back.
    ///
    /// # Safety
    /// It is one of [`Small::take`]'s for this class, or as good as one: writable, aligned, and nobody else's.
    #[inline]
    pub unsafe fn put(&mut self, class: usize, block: NonNull<u8>) {
        let block = block.cast::<Free>();
        // SAFETY: every block has room for an address and is aligned for one; the caller promises the rest.
        unsafe { block.write(Free(self.lists[class])) };
        self.lists[class] = Some(block);
    }

    /// Goes on with a new chunk; what is left of the old one becomes a free block.
    ///
    /// # Safety
    /// `chunk` has the layout [`CHUNK`] and is nobody else's.
    pub unsafe fn add(&mut self, chunk: NonNull<u8>) {
        if let (Some(rest), true) = (NonNull::new(self.chunk), self.left > 0) {
            // SAFETY: the rest of the chunk is aligned and nobody's; it is less than the block that was wanted.
            unsafe { self.put(self.left / STEP - 1, rest) };
        }
        (self.chunk, self.left) = (chunk.as_ptr(), CHUNK.size());
    }
}
