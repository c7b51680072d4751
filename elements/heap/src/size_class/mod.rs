//! A heap of size classes with a cache for each processor: for programs that allocate much, on several processors.
//!
//! A block is rounded up to one of 80 sizes, an eighth more at most. A processor takes it from and returns it to its
//! own cache: ten instructions and no lock, whichever processor it came from. Caches exchange magazines of blocks with
//! the centre, under a lock. There small blocks lie in slabs, larger ones and slabs in a pool of chunks; slabs whose
//! blocks are all back are joined with their neighbours, and chunks that are empty go back to where pages come from.

mod cache;
mod central;
mod class;
mod processors;
mod slab;

use core::{alloc::Layout, ptr::NonNull};

use cache::Cache;
use central::Central;
pub use processors::{Processors, Turns};
use sync::Mutex;

use crate::{Block, Heap, PageSource, Statistics};

/// Blocks that a cache takes from the centre at once, at most. It begins with one and gives a full magazine back, so a
/// program that only begins does not pay for blocks that it may never want.
const REFILL: u32 = 8;

/// A heap over pages of `P`, with one of `N` caches for each processor of `W`.
pub struct SizeClass<P, W = Turns, const N: usize = 1> {
    caches: [Cache; N],
    processors: W,
    central: Mutex<Central>,
    pages: P,
}

// SAFETY: a cache is used by one at a time, which `Processors` promises, but for its counts, which are atomic; all else
// is for all threads.
unsafe impl<P: PageSource, W: Processors, const N: usize> Sync for SizeClass<P, W, N> {}

impl<P: PageSource, W: Processors, const N: usize> SizeClass<P, W, N> {
    /// An empty heap; it asks `P` for pages at its first allocation.
    #[must_use]
    pub const fn new() -> Self {
        const { assert!(W::COUNT <= N, "each processor has a cache") };
        Self {
            caches: [const { Cache::new() }; N],
            processors: W::NEW,
            central: Mutex::new(Central::new()),
            pages: P::NEW,
        }
    }

    /// This processor's cache, if it is its own without a lock.
    #[inline]
    fn own_cache(&self) -> Option<&Cache> {
        self.caches.get(self.processors.alone()?)
    }

    /// Runs `work` with this processor's cache. It must not lead to this heap again.
    fn with_cache<R>(&self, work: impl FnOnce(&Cache) -> R) -> R {
        self.processors.stay(|number| work(&self.caches[number]))
    }

    /// A block of a class of which none is at hand, or nobody knows whether.
    #[cold]
    #[inline(never)]
    fn allocate_one(&self, class: usize) -> Option<NonNull<u8>> {
        self.with_cache(|cache| cache.take(class).or_else(|| self.refill(cache, class)))
    }

    fn refill(&self, cache: &Cache, class: usize) -> Option<NonNull<u8>> {
        if !cache.take_up(class) {
            cache.fill(class, self.central.lock().take(class, cache.wants(class, REFILL), &self.pages));
        }
        cache.take(class).or_else(|| {
            // Memory is used up: what the cache keeps of other classes may help.
            self.empty(cache);
            cache.fill(class, self.central.lock().take(class, 1, &self.pages));
            cache.take(class)
        })
    }

    /// Frees a block of a class of which the magazine at hand is full, or nobody knows whether.
    ///
    /// # Safety
    /// The block is of this class and not used any more.
    #[cold]
    #[inline(never)]
    unsafe fn free_one(&self, class: usize, block: NonNull<u8>) {
        self.with_cache(|cache| {
            // SAFETY: the caller promises it of the block.
            if unsafe { cache.put(class, block) } {
                return;
            }
            let aside = cache.lay_aside(class);
            // SAFETY: as above, and blocks in a cache are free; an empty magazine takes one.
            unsafe {
                if !aside.is_null() {
                    self.central.lock().put(class, aside, &self.pages);
                }
                cache.put(class, block);
            }
        });
    }

    /// Gives all of a cache back to the centre.
    fn empty(&self, cache: &Cache) {
        let mut central = self.central.lock();
        for class in 0..class::COUNT {
            for _ in 0..2 {
                // SAFETY: blocks in a cache are free.
                unsafe { central.put(class, cache.lay_aside(class), &self.pages) };
            }
        }
    }

    /// A block that caches do not keep.
    #[inline(never)]
    fn allocate_large(&self, layout: &Layout) -> Option<NonNull<u8>> {
        let block = self.central.lock().allocate(layout, &self.pages);
        block.or_else(|| {
            self.with_cache(|cache| self.empty(cache));
            self.central.lock().allocate(layout, &self.pages)
        })
    }

    /// Frees a block that caches do not keep.
    ///
    /// # Safety
    /// It is of this heap and layout, and not used any more.
    #[inline(never)]
    unsafe fn free_large(&self, block: NonNull<u8>, layout: &Layout) {
        // SAFETY: as the caller promises.
        unsafe { self.central.lock().free(block, layout, &self.pages) };
    }
}

impl<P: PageSource, W: Processors, const N: usize> Default for SizeClass<P, W, N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<P: PageSource, W: Processors, const N: usize> Heap for SizeClass<P, W, N> {
    #[inline]
    fn allocate(&self, layout: Layout) -> Option<NonNull<u8>> {
        let Some(class) = class::of(&layout) else { return self.allocate_large(&layout) };
        let at_hand = self.own_cache().and_then(|cache| cache.take(class));
        if at_hand.is_some() { at_hand } else { self.allocate_one(class) }
    }

    #[inline]
    fn free(&self, block: Block) {
        let (pointer, layout) = (block.pointer(), block.layout());
        // SAFETY: a `Block` promises that its pointer came from this heap with its layout and is not used any more.
        unsafe {
            match class::of(&layout) {
                Some(class) if self.own_cache().is_some_and(|cache| cache.put(class, pointer)) => {}
                Some(class) => self.free_one(class, pointer),
                None => self.free_large(pointer, &layout),
            }
        }
    }

    /// While others allocate, blocks on their way between cache and centre may be counted wrongly.
    fn statistics(&self) -> Statistics {
        let mut statistics = self.central.lock().statistics().within(self.pages.limit());
        for (cache, class) in self.caches.iter().flat_map(|cache| (0..class::COUNT).map(move |class| (cache, class))) {
            let count = cache.count(class);
            statistics.blocks = statistics.blocks.saturating_sub(count);
            statistics.bytes = statistics.bytes.saturating_sub(count * class::bytes(class));
        }
        statistics
    }
}
