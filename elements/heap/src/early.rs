//! An early heap that hands over to the main one.

use core::{
    alloc::Layout,
    ptr::NonNull,
    sync::atomic::{AtomicBool, Ordering},
};

use crate::{Block, Bump, Heap, Region, Statistics};

/// A heap whose first blocks lie in `BYTES` of the image itself, so that code may allocate before the main heap `M`
/// can ask for pages. With the first block that has no room there, or when it is told to, it hands over to `M` for
/// good; blocks of the early time are known by their address when they come back.
pub struct Early<const BYTES: usize, M> {
    early: Bump<Region<BYTES>>,
    handed_over: AtomicBool,
    main: M,
}

impl<const BYTES: usize, M: Heap> Early<BYTES, M> {
    /// A heap that begins in its own region and goes on with `main`.
    #[must_use]
    pub const fn new(main: M) -> Self {
        Self { early: Bump::new(), handed_over: AtomicBool::new(false), main }
    }

    /// From now on blocks come from the main heap.
    pub fn hand_over(&self) {
        self.handed_over.store(true, Ordering::Relaxed);
    }

    /// A block of the region, or the first one of the main heap.
    #[cold]
    #[inline(never)]
    fn allocate_early(&self, layout: Layout) -> Option<NonNull<u8>> {
        if let Some(block) = self.early.allocate(layout) {
            return Some(block);
        }
        self.hand_over();
        self.main.allocate(layout)
    }

    /// Takes a block of the region back, which few are.
    #[cold]
    #[inline(never)]
    fn free_early(&self, block: Block) {
        self.early.free(block);
    }

    /// Whether it has handed over.
    pub fn has_handed_over(&self) -> bool {
        self.handed_over.load(Ordering::Relaxed)
    }
}

impl<const BYTES: usize, M: Heap> Heap for Early<BYTES, M> {
    fn allocate(&self, layout: Layout) -> Option<NonNull<u8>> {
        if self.has_handed_over() {
            return self.main.allocate(layout);
        }
        // Every boot begins so: without a call, and nothing to keep over one.
        let block = self.early.allocate_at_once(&layout);
        if block.is_some() { block } else { self.allocate_early(layout) }
    }

    fn free(&self, block: Block) {
        if self.early.owns(&block) {
            self.free_early(block);
        } else {
            self.main.free(block);
        }
    }

    fn statistics(&self) -> Statistics {
        let (early, main) = (self.early.statistics(), self.main.statistics());
        Statistics {
            blocks: early.blocks + main.blocks,
            bytes: early.bytes + main.bytes,
            // The early heap is at its largest before the main one begins; later both are in use.
            peak: early.peak.max(early.bytes + main.peak),
            held: early.held + main.held,
            limit: main.limit.saturating_add(early.limit),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_hands_over_and_knows_its_blocks() {
        static HEAP: Early<8192, Bump<Region<65536>>> = Early::new(Bump::new());
        let layout = Layout::from_size_align(3000, 8).unwrap();
        let early = [(); 2].map(|()| HEAP.allocate(layout).unwrap());
        assert!(!HEAP.has_handed_over());
        let main = HEAP.allocate(layout).unwrap();
        assert!(HEAP.has_handed_over());
        assert_eq!((HEAP.statistics().blocks, HEAP.main.statistics().blocks), (3, 1));
        // SAFETY: the blocks are of this heap and layout, and not used after.
        unsafe { early.into_iter().rev().for_each(|block| HEAP.free(Block::new(block, layout))) };
        assert_eq!((HEAP.early.statistics().blocks, HEAP.main.statistics().blocks), (0, 1));
        // There is room again, and it stays unused.
        assert_eq!(HEAP.allocate(layout).unwrap().addr().get(), main.addr().get() + 3000);
    }
}
