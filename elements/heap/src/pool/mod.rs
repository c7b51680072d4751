//! A pool of chunks: blocks of any size in constant time, joined with free neighbours when they come back, and whole
//! chunks again when nothing is left in them.
//!
//! Each block begins with a header that knows its size and where the block before begins (D. Knuth, "The Art of
//! Computer Programming" 1, 2.5, boundary tags); free ones are found by the two-level index of TLSF (M. Masmano et
//! al., ECRTS 2004). The crate `rlsf`, which does the same, gives no chunk back and cannot lay blocks so that their
//! *headers* are aligned, by which slabs lie one behind the other without a gap.

mod bins;

use core::{
    alloc::Layout,
    ptr::{NonNull, null_mut},
};

use bins::Bins;

use crate::classes;

/// Blocks are multiples of this many bytes and aligned to it.
pub const STEP: usize = 16;
/// Bytes of a block's header.
pub const HEADER: usize = size_of::<Header>();
/// A free block has room for its links.
const LEAST: usize = HEADER + size_of::<Links>();
/// A bit of a size, which is a multiple of [`STEP`].
const FREE: usize = 1;

#[repr(C, align(16))]
struct Header {
    /// The block before in memory; null for the first one of a chunk.
    before: *mut Header,
    /// Its bytes, this header included, and [`FREE`]; 0 for the end of a chunk.
    size: usize,
}

struct Links {
    next: *mut Header,
    previous: *mut Header,
}

impl Header {
    const fn bytes(&self) -> usize {
        self.size & !FREE
    }

    const fn is_free(&self) -> bool {
        self.size & FREE != 0
    }

    const fn links(block: *mut Self) -> *mut Links {
        block.wrapping_add(1).cast()
    }
}

/// How a block is to lie: bytes with the header, and what of it is aligned.
#[derive(Clone, Copy)]
pub struct Shape {
    bytes: usize,
    align: usize,
    /// What is aligned lies so far behind the header's start.
    offset: usize,
}

impl Shape {
    /// A block of that layout behind its header.
    #[inline]
    pub const fn of(layout: &Layout) -> Option<Self> {
        let Some(bytes) = layout.size().checked_add(HEADER + STEP - 1) else { return None };
        let bytes = bytes & !(STEP - 1);
        let align = if layout.align() > STEP { layout.align() } else { STEP };
        Some(Self { bytes: if bytes > LEAST { bytes } else { LEAST }, align, offset: HEADER })
    }

    /// A block of so many bytes, a multiple of 16 and not 0, behind its header.
    pub const fn behind_header(bytes: usize) -> Self {
        Self { bytes: bytes + HEADER, align: STEP, offset: HEADER }
    }

    /// A block of `bytes` with its header, a power of two, whose header is aligned to them.
    pub const fn slab(bytes: usize) -> Self {
        Self { bytes, align: bytes, offset: 0 }
    }

    /// Bytes before an aligned block of this shape in a free one; such a gap is 0 or a block of its own.
    fn gap(&self, block: *mut Header) -> usize {
        let gap = (block.addr() + self.offset).wrapping_neg() & (self.align - 1);
        if gap > 0 && gap < LEAST { gap + self.align } else { gap }
    }

    /// Bytes of a block that has room for this shape wherever it lies.
    fn anywhere(&self) -> Option<usize> {
        let most = if self.align > STEP { self.align + STEP } else { 0 };
        self.bytes.checked_add(most)
    }

    /// Bytes of a chunk that has room for this shape wherever it lies.
    pub fn chunk(&self) -> Option<usize> {
        let bytes = self.anywhere()?;
        // A list is searched only if all its blocks are large enough.
        bytes.checked_add(classes::step(bytes))?.checked_add(HEADER)
    }
}

/// The chunks' blocks.
pub struct Pool {
    bins: Bins,
    /// A block that is all of its chunk, kept for the next need; or null.
    empty: *mut Header,
}

// SAFETY: the chunks belong to nobody else.
unsafe impl Send for Pool {}

impl Pool {
    /// Without chunks.
    pub const fn new() -> Self {
        Self { bins: Bins::new(), empty: null_mut() }
    }

    /// Takes a chunk.
    ///
    /// # Safety
    /// It is writable, aligned to a page, a multiple of 16 bytes long, nobody else's, and stays until
    /// [`Pool::free`] returns it.
    pub unsafe fn add(&mut self, chunk: NonNull<[u8]>) {
        let block = chunk.as_ptr().cast::<Header>();
        let bytes = chunk.len() - HEADER;
        // SAFETY: block and end lie in the chunk, which is ours.
        unsafe {
            block.write(Header { before: null_mut(), size: bytes | FREE });
            block.byte_add(bytes).write(Header { before: block, size: 0 });
            self.bins.insert(block);
        }
    }

    /// A block of that shape.
    pub fn take(&mut self, shape: Shape) -> Option<NonNull<u8>> {
        let fits = |block: *mut Header| {
            // SAFETY: it is a free block of ours.
            !block.is_null() && shape.gap(block) + shape.bytes <= unsafe { (*block).bytes() }
        };
        let mut block = self.bins.find(shape.bytes);
        if !fits(block) {
            block = self.bins.find(shape.anywhere()?);
        }
        if !fits(block) {
            return None;
        }
        // SAFETY: the block is free, in its list, and large enough.
        unsafe { self.carve(block, shape) }
    }

    /// Makes the block one of that shape; what lies before and behind becomes free blocks.
    ///
    /// # Safety
    /// The block is free, in its list, and the shape fits into it.
    unsafe fn carve(&mut self, mut block: *mut Header, shape: Shape) -> Option<NonNull<u8>> {
        // SAFETY: all headers written lie within the block, which leaves its list before.
        unsafe {
            self.bins.remove(block);
            if block == self.empty {
                self.empty = null_mut();
            }
            let gap = shape.gap(block);
            if gap > 0 {
                let behind = Self::split(block, gap);
                self.bins.insert(block);
                block = behind;
            }
            if (*block).bytes() - shape.bytes >= LEAST {
                let rest = Self::split(block, shape.bytes);
                self.bins.insert(rest);
            }
            (*block).size &= !FREE;
        }
        NonNull::new(block.wrapping_add(1).cast())
    }

    /// Cuts a free block behind so many bytes; the second part.
    ///
    /// # Safety
    /// The block is in no list, and longer by a block.
    unsafe fn split(block: *mut Header, bytes: usize) -> *mut Header {
        // SAFETY: both parts lie in the block, and a header lies behind it.
        unsafe {
            let behind = block.byte_add(bytes);
            behind.write(Header { before: block, size: ((*block).bytes() - bytes) | FREE });
            (*block).size = bytes | FREE;
            (*behind.byte_add((*behind).bytes())).before = behind;
            behind
        }
    }

    /// Takes a block back. A chunk that nobody needs any more is returned: it is the caller's again.
    ///
    /// # Safety
    /// The block is one of this pool's and not used any more.
    pub unsafe fn free(&mut self, block: NonNull<u8>) -> Option<NonNull<[u8]>> {
        let mut block = block.as_ptr().cast::<Header>().wrapping_sub(1);
        // SAFETY: the block's neighbours are blocks of the same chunk, or its end; free ones are in their lists.
        unsafe {
            (*block).size |= FREE;
            let next = block.byte_add((*block).bytes());
            if (*next).is_free() {
                self.bins.remove(next);
                (*block).size += (*next).bytes();
            }
            let before = (*block).before;
            if !before.is_null() && (*before).is_free() {
                self.bins.remove(before);
                (*before).size += (*block).bytes();
                block = before;
            }
            let next = block.byte_add((*block).bytes());
            (*next).before = block;
            if (*block).before.is_null() && (*next).size == 0 && self.is_spare(block) {
                let chunk = NonNull::new(block.cast())?;
                return Some(NonNull::slice_from_raw_parts(chunk, (*block).bytes() + HEADER));
            }
            self.bins.insert(block);
        }
        None
    }

    /// Whether there is another empty chunk. One is kept, or a block that comes and goes would take its pages along.
    fn is_spare(&mut self, block: *mut Header) -> bool {
        let spare = !self.empty.is_null();
        if !spare {
            self.empty = block;
        }
        spare
    }
}
