//! First fit: one list of free memory, ordered by address (D. Knuth, "The Art of Computer Programming" 1, 2.5,
//! algorithms A and B). The heap with the least code; its time grows with the number of gaps.

use core::{
    alloc::Layout,
    ptr::{NonNull, null_mut},
};

use machine::{PAGE_SIZE, page_align_up};
use sync::Mutex;

use crate::{Block, Heap, PageSource, Statistics};

/// Blocks are multiples of this many bytes, which is what a free one has to say, and aligned to it.
const STEP: usize = size_of::<Gap>();
/// Pages it asks for at once, if there are so many.
const GROWTH: usize = 16;

/// Free memory between blocks in use.
#[repr(C, align(16))]
struct Gap {
    next: *mut Gap,
    bytes: usize,
}

/// A heap over pages of `P` that takes the first gap that is large enough.
pub struct FirstFit<P> {
    gaps: Mutex<Gaps>,
    pages: P,
}

struct Gaps {
    /// Not a gap itself, so that every gap has one before it.
    head: Gap,
    statistics: Statistics,
}

// SAFETY: the memory belongs to nobody else.
unsafe impl Send for Gaps {}

fn rounded(layout: &Layout) -> Option<usize> {
    Some(layout.size().max(1).checked_add(STEP - 1)? & !(STEP - 1))
}

impl Gaps {
    /// The first aligned place of so many bytes.
    fn take(&mut self, bytes: usize, align: usize) -> Option<NonNull<u8>> {
        let mut before = &raw mut self.head;
        // SAFETY: the list's gaps are memory of ours that nobody uses, each larger than its two words or as large.
        unsafe {
            loop {
                let gap = (*before).next;
                if gap.is_null() {
                    return None;
                }
                let padding = gap.addr().wrapping_neg() & (align - 1);
                let rest = (*gap).bytes.checked_sub(padding).and_then(|left| left.checked_sub(bytes));
                let Some(rest) = rest else {
                    before = gap;
                    continue;
                };
                let block = gap.byte_add(padding);
                let mut next = (*gap).next;
                if rest > 0 {
                    let behind = block.byte_add(bytes);
                    behind.write(Gap { next, bytes: rest });
                    next = behind;
                }
                if padding > 0 {
                    (*gap).bytes = padding;
                    before = gap;
                }
                (*before).next = next;
                return NonNull::new(block.cast());
            }
        }
    }

    /// Puts memory in its place in the list, and joins it with its neighbours.
    ///
    /// # Safety
    /// It is aligned to [`STEP`], a multiple of it, nobody's, and in no gap.
    unsafe fn put(&mut self, memory: NonNull<u8>, bytes: usize) {
        let gap = memory.as_ptr().cast::<Gap>();
        let mut before = &raw mut self.head;
        // SAFETY: the caller promises it of the memory, and the list's gaps are memory of ours that nobody uses.
        unsafe {
            while !(*before).next.is_null() && (*before).next < gap {
                before = (*before).next;
            }
            let next = (*before).next;
            gap.write(Gap { next, bytes });
            (*before).next = gap;
            if gap.wrapping_byte_add(bytes) == next {
                (*gap).bytes += (*next).bytes;
                (*gap).next = (*next).next;
            }
            if before.wrapping_byte_add((*before).bytes) == gap {
                (*before).bytes += (*gap).bytes;
                (*before).next = (*gap).next;
            }
        }
    }
}

impl<P: PageSource> FirstFit<P> {
    /// An empty heap; it asks `P` for pages at its first allocation.
    #[must_use]
    pub const fn new() -> Self {
        let head = Gap { next: null_mut(), bytes: 0 };
        Self { gaps: Mutex::new(Gaps { head, statistics: Statistics::BEGUN }), pages: P::NEW }
    }

    #[cold]
    fn grow(&self, gaps: &mut Gaps, bytes: usize, align: usize) -> Option<()> {
        // Pages are aligned to a page; a larger alignment may need as much again.
        let extra = if align > PAGE_SIZE { align } else { 0 };
        let least = page_align_up(bytes.checked_add(extra)?)? / PAGE_SIZE;
        let memory = self.pages.pages(least.max(GROWTH)).or_else(|| self.pages.pages(least))?;
        gaps.statistics.grow(memory.len());
        // SAFETY: a source's pages are ours, and nothing else refers to them.
        unsafe { gaps.put(memory.cast(), memory.len()) };
        Some(())
    }
}

impl<P: PageSource> Default for FirstFit<P> {
    fn default() -> Self {
        Self::new()
    }
}

impl<P: PageSource> Heap for FirstFit<P> {
    fn allocate(&self, layout: Layout) -> Option<NonNull<u8>> {
        let (bytes, align) = (rounded(&layout)?, layout.align());
        let mut gaps = self.gaps.lock();
        let mut block = gaps.take(bytes, align);
        if block.is_none() {
            self.grow(&mut gaps, bytes, align)?;
            block = gaps.take(bytes, align);
        }
        gaps.statistics.add(1, bytes);
        block
    }

    fn free(&self, block: Block) {
        let Some(bytes) = rounded(&block.layout()) else { return };
        let mut gaps = self.gaps.lock();
        gaps.statistics.remove(1, bytes);
        // SAFETY: a `Block` promises that its memory came from here with this layout and is not used any more.
        unsafe { gaps.put(block.pointer(), bytes) };
    }

    fn statistics(&self) -> Statistics {
        self.gaps.lock().statistics.shown().within(self.pages.limit())
    }
}
