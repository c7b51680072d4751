//! Two-level segregated fit: constant-time allocation over a pool that grows by whole pages.
//!
//! The algorithm is the crate `rlsf`'s (M. Masmano et al., "TLSF: a new dynamic memory allocator for real-time
//! systems", ECRTS 2004).

use core::{alloc::Layout, ptr::NonNull};

use machine::{PAGE_SIZE, page_align_up};
use sync::Mutex;

use crate::{
    Block, Heap, PageSource,
    small::{self, CHUNK, Small},
};

/// Pages the pool grows by, if there are so many. Few, so that a tiny image stays tiny.
const GROWTH: usize = 16;

/// What a pool needs beyond a request, for its own headers and for alignment.
const OVERHEAD: usize = 64;

/// Size classes between two powers of two. A request is rounded up to the next class before a block is looked for, so
/// a block must be larger than it by up to this part of it.
const SECOND_LEVEL: usize = 16;

type Pool = rlsf::Tlsf<'static, u32, u16, 28, SECOND_LEVEL>;

/// A TLSF heap over pages of `P`, with lists of [`mod@small`] blocks before it.
pub struct Tlsf<P> {
    state: Mutex<State>,
    pages: P,
}

struct State {
    small: Small,
    pool: Pool,
}

impl<P: PageSource> Tlsf<P> {
    /// An empty heap; it asks `P` for pages at its first allocation.
    #[must_use]
    pub const fn new() -> Self {
        Self { state: Mutex::new(State { small: Small::new(), pool: Pool::new() }), pages: P::NEW }
    }

    fn grow(&self, pool: &mut Pool, layout: Layout) -> Option<()> {
        let rounding = layout.size() / SECOND_LEVEL;
        let wanted = layout.size().checked_add(rounding)?.checked_add(layout.align())?.checked_add(OVERHEAD)?;
        let least = page_align_up(wanted)? / PAGE_SIZE;
        let memory = self.pages.pages(least.max(GROWTH)).or_else(|| self.pages.pages(least))?;
        // SAFETY: `PageSource` hands out memory that is ours for ever and that nothing else refers to.
        unsafe { pool.insert_free_block_ptr(memory) }.map(|_| ())
    }

    fn allocate_large(&self, pool: &mut Pool, layout: Layout) -> Option<NonNull<u8>> {
        if let Some(block) = pool.allocate(layout) {
            return Some(block);
        }
        self.grow(pool, layout)?;
        pool.allocate(layout)
    }

    #[inline(never)]
    fn allocate_chunk(&self, state: &mut State, class: usize) -> Option<NonNull<u8>> {
        let chunk = self.allocate_large(&mut state.pool, CHUNK)?;
        // SAFETY: the pool's block has this layout and was just given to us.
        unsafe { state.small.add(chunk) };
        state.small.take(class)
    }
}

impl<P: PageSource> Default for Tlsf<P> {
    fn default() -> Self {
        Self::new()
    }
}

impl<P: PageSource> Heap for Tlsf<P> {
    fn allocate(&self, layout: Layout) -> Option<NonNull<u8>> {
        let mut state = self.state.lock();
        match small::class(&layout) {
            Some(class) => state.small.take(class).or_else(|| self.allocate_chunk(&mut state, class)),
            None => self.allocate_large(&mut state.pool, layout),
        }
    }

    fn free(&self, block: Block) {
        let mut state = self.state.lock();
        // SAFETY: a `Block` promises that its pointer came from this heap with its layout and is not used any more.
        unsafe {
            match small::class(&block.layout()) {
                Some(class) => state.small.put(class, block.pointer()),
                None => state.pool.deallocate(block.pointer(), block.layout().align()),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::{alloc, vec::Vec};

    use super::*;

    /// Pages of the host's allocator, never given back.
    struct HostPages;

    // SAFETY: leaked host memory is ours for ever.
    unsafe impl PageSource for HostPages {
        const NEW: Self = Self;

        fn pages(&self, count: usize) -> Option<NonNull<[u8]>> {
            let layout = Layout::from_size_align(count * PAGE_SIZE, PAGE_SIZE).ok()?;
            // SAFETY: the layout's size is not zero.
            let pointer = NonNull::new(unsafe { alloc::alloc(layout) })?;
            Some(NonNull::slice_from_raw_parts(pointer, layout.size()))
        }
    }

    struct NoPages;

    // SAFETY: it returns no memory.
    unsafe impl PageSource for NoPages {
        const NEW: Self = Self;

        fn pages(&self, _count: usize) -> Option<NonNull<[u8]>> {
            None
        }
    }

    #[test]
    fn blocks_are_apart_aligned_and_reusable() {
        let heap = Tlsf::<HostPages>::new();
        let mut live: Vec<(NonNull<u8>, Layout, u8)> = Vec::new();
        let mut state = 1_u32;
        for round in 0..2_000_u32 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let size = (state >> 16) as usize % 3_000 + 1;
            let layout = Layout::from_size_align(size, 1 << (state >> 8 & 7)).unwrap();
            let block = heap.allocate(layout).unwrap();
            assert_eq!(block.as_ptr() as usize % layout.align(), 0);
            let mark = round as u8;
            // SAFETY: the block is `size` bytes and ours.
            unsafe { block.as_ptr().write_bytes(mark, size) };
            live.push((block, layout, mark));
            if state & 3 != 0 {
                let (block, layout, mark) = live.swap_remove(state as usize % live.len());
                // SAFETY: the block is live, of this heap and this layout, and not used after.
                unsafe {
                    assert!((0..layout.size()).all(|index| *block.as_ptr().add(index) == mark));
                    heap.free(Block::new(block, layout));
                }
            }
        }
    }

    #[test]
    fn a_grown_pool_serves_the_request_it_grew_for() {
        for size in (0..24).map(|shift| 1_usize << shift).flat_map(|size| [size, size + 1, size + size / 3]) {
            for align in [1, 16, 4096] {
                let heap = Tlsf::<HostPages>::new();
                assert!(heap.allocate(Layout::from_size_align(size, align).unwrap()).is_some(), "{size} {align}");
            }
        }
    }

    #[test]
    fn exhaustion_is_an_answer() {
        let heap = Tlsf::<NoPages>::new();
        assert!(heap.allocate(Layout::new::<u64>()).is_none());
        let heap = Tlsf::<HostPages>::new();
        assert!(heap.allocate(Layout::from_size_align(isize::MAX as usize - 64, 1).unwrap()).is_none());
    }
}
