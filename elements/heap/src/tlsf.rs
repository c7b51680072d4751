//! Two-level segregated fit: constant-time allocation over a pool that grows by whole pages.
//!
//! The algorithm is the crate `rlsf`'s (M. Masmano et al., "TLSF: a new dynamic memory allocator for real-time
//! systems", ECRTS 2004).

use core::{alloc::Layout, ptr::NonNull};

use machine::{PAGE_SIZE, page_align_up};
use sync::Mutex;

use crate::{
    Block, Heap, PageSource, Statistics,
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
    statistics: Statistics,
}

impl<P: PageSource> Tlsf<P> {
    /// An empty heap; it asks `P` for pages at its first allocation.
    #[must_use]
    pub const fn new() -> Self {
        let (small, pool) = (Small::new(), Pool::new());
        Self { state: Mutex::new(State { small, pool, statistics: Statistics::BEGUN }), pages: P::NEW }
    }

    fn grow(&self, state: &mut State, layout: Layout) -> Option<()> {
        let rounding = layout.size() / SECOND_LEVEL;
        let wanted = layout.size().checked_add(rounding)?.checked_add(layout.align())?.checked_add(OVERHEAD)?;
        let least = page_align_up(wanted)? / PAGE_SIZE;
        let memory = self.pages.pages(least.max(GROWTH)).or_else(|| self.pages.pages(least))?;
        state.statistics.grow(memory.len());
        // SAFETY: `PageSource` hands out memory that is ours until we give it back, and that nothing else refers to.
        unsafe { state.pool.insert_free_block_ptr(memory) }.map(|_| ())
    }

    fn allocate_large(&self, state: &mut State, layout: Layout) -> Option<NonNull<u8>> {
        if let Some(block) = state.pool.allocate(layout) {
            return Some(block);
        }
        self.grow(state, layout)?;
        state.pool.allocate(layout)
    }

    #[inline(never)]
    fn allocate_chunk(&self, state: &mut State, class: usize) -> Option<NonNull<u8>> {
        let chunk = self.allocate_large(state, CHUNK)?;
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
        let block = match small::class(&layout) {
            Some(class) => state.small.take(class).or_else(|| self.allocate_chunk(&mut state, class)),
            None => self.allocate_large(&mut state, layout),
        }?;
        state.statistics.add(1, layout.size());
        Some(block)
    }

    fn free(&self, block: Block) {
        let mut state = self.state.lock();
        state.statistics.remove(1, block.layout().size());
        // SAFETY: a `Block` promises that its pointer came from this heap with its layout and is not used any more.
        unsafe {
            match small::class(&block.layout()) {
                Some(class) => state.small.put(class, block.pointer()),
                None => state.pool.deallocate(block.pointer(), block.layout().align()),
            }
        }
    }

    fn statistics(&self) -> Statistics {
        self.state.lock().statistics.shown().within(self.pages.limit())
    }
}
