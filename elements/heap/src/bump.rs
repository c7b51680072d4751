//! A region heap: an allocation is an addition. For work that allocates, ends, and takes everything with it.

use core::{alloc::Layout, ptr::NonNull};

use machine::{PAGE_SIZE, page_align_up};
use sync::Mutex;

use crate::{Block, Heap, PageSource, Region, Statistics};

/// Pages it asks for at once, if there are so many.
const GROWTH: usize = 16;

/// A heap over pages of `P` in which blocks lie one behind the other. Memory comes back only if the block that is
/// freed is the last one.
pub struct Bump<P> {
    free: Mutex<Free>,
    pages: P,
}

/// What is left of the last pages: an address (or none) and bytes.
struct Free {
    start: *mut u8,
    left: usize,
    statistics: Statistics,
}

// SAFETY: the memory belongs to nobody else.
unsafe impl Send for Free {}

impl Free {
    #[inline]
    fn take(&mut self, layout: &Layout) -> Option<NonNull<u8>> {
        let padding = self.start.addr().wrapping_neg() & (layout.align() - 1);
        let left = self.left.checked_sub(padding)?.checked_sub(layout.size())?;
        let block = NonNull::new(self.start.wrapping_add(padding))?;
        (self.start, self.left) = (block.as_ptr().wrapping_add(layout.size()), left);
        self.statistics.add(1, layout.size());
        Some(block)
    }

    /// Takes back the block if it is the last one.
    #[inline]
    fn put(&mut self, block: &Block) {
        let start = block.pointer().as_ptr();
        self.statistics.remove(1, block.layout().size());
        if start.wrapping_add(block.layout().size()) == self.start {
            (self.start, self.left) = (start, self.left + block.layout().size());
        }
    }
}

impl<P: PageSource> Bump<P> {
    /// An empty heap; it asks `P` for pages at its first allocation.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            free: Mutex::new(Free { start: core::ptr::null_mut(), left: 0, statistics: Statistics::BEGUN }),
            pages: P::NEW,
        }
    }

    /// Goes on in new pages; what is left of the old ones is lost.
    #[cold]
    fn grow(&self, free: &mut Free, layout: &Layout) -> Option<()> {
        // Pages are aligned to a page; a larger alignment may need as much again.
        let extra = if layout.align() > PAGE_SIZE { layout.align() } else { 0 };
        let least = page_align_up(layout.size().max(1).checked_add(extra)?)? / PAGE_SIZE;
        let memory = self.pages.pages(least.max(GROWTH)).or_else(|| self.pages.pages(least))?;
        (free.start, free.left) = (memory.as_ptr().cast(), memory.len());
        free.statistics.grow(memory.len());
        Some(())
    }
}

impl<P: PageSource> Default for Bump<P> {
    fn default() -> Self {
        Self::new()
    }
}

impl<P: PageSource> Heap for Bump<P> {
    fn allocate(&self, layout: Layout) -> Option<NonNull<u8>> {
        let mut free = self.free.lock();
        if let Some(block) = free.take(&layout) {
            return Some(block);
        }
        self.grow(&mut free, &layout)?;
        free.take(&layout)
    }

    fn free(&self, block: Block) {
        // Every boot begins with this heap: the call would cost more than what is done under the lock.
        self.free.lock_in_line().put(&block);
    }

    fn statistics(&self) -> Statistics {
        self.free.lock().statistics.shown().within(self.pages.limit())
    }
}

impl<P: PageSource> Bump<P> {
    /// A block of what is at hand, if nobody need be waited for.
    #[inline(always)]
    pub fn allocate_at_once(&self, layout: &Layout) -> Option<NonNull<u8>> {
        self.free.try_lock_alone()?.take(layout)
    }
}

impl<const BYTES: usize> Bump<Region<BYTES>> {
    /// Whether a block is this heap's.
    pub fn owns(&self, block: &Block) -> bool {
        self.pages.contains(block.pointer().addr().get())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Region;

    fn layout(size: usize, align: usize) -> Layout {
        Layout::from_size_align(size, align).unwrap()
    }

    #[test]
    fn blocks_lie_one_behind_the_other() {
        static HEAP: Bump<Region<{ 4 * PAGE_SIZE }>> = Bump::new();
        let first = HEAP.allocate(layout(3, 1)).unwrap();
        let second = HEAP.allocate(layout(16, 8)).unwrap();
        assert_eq!(second.addr().get() - first.addr().get(), 8);
        // SAFETY: both blocks are of this heap and these sizes.
        unsafe {
            first.as_ptr().write_bytes(1, 3);
            second.as_ptr().write_bytes(2, 16);
            assert_eq!(first.as_ptr().add(2).read(), 1);
        }
    }

    #[test]
    fn only_the_last_block_comes_back() {
        static HEAP: Bump<Region<{ 4 * PAGE_SIZE }>> = Bump::new();
        let [first, second] = [(); 2].map(|()| HEAP.allocate(layout(64, 1)).unwrap());
        // SAFETY: the blocks are of this heap and layout, and not used after.
        unsafe {
            HEAP.free(Block::new(first, layout(64, 1)));
            HEAP.free(Block::new(second, layout(64, 1)));
        }
        assert_eq!(HEAP.allocate(layout(64, 1)), Some(second));
    }

    #[test]
    fn large_blocks_and_alignments_get_pages_of_their_own() {
        static HEAP: Bump<Region<{ 64 * PAGE_SIZE }>> = Bump::new();
        assert!(HEAP.allocate(layout(1, 1)).is_some());
        let block = HEAP.allocate(layout(17 * PAGE_SIZE, 1)).unwrap();
        // SAFETY: the block is ours, of that size.
        unsafe { block.as_ptr().write_bytes(7, 17 * PAGE_SIZE) };
        let block = HEAP.allocate(layout(10, 4 * PAGE_SIZE)).unwrap();
        assert_eq!(block.addr().get() % (4 * PAGE_SIZE), 0);
        assert!(HEAP.allocate(layout(64 * PAGE_SIZE, 1)).is_none());
        assert!(HEAP.allocate(layout(isize::MAX as usize, 1)).is_none());
        assert!(HEAP.allocate(layout(100, 1)).is_some());
    }
}
