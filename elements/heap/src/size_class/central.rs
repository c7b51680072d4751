//! What all processors share, behind a lock: slabs of each class, and the pool that they and large blocks come from.

use core::{alloc::Layout, ptr::NonNull, ptr::null_mut};

use machine::{PAGE_SIZE, page_align_up};

use super::{
    class,
    slab::{Free, Slab},
};
use crate::{
    PageSource, Statistics,
    pool::{Pool, Shape},
};

/// Pages it asks for at once, if there are so many: few, so that a tiny image stays tiny, and ...
const GROWTH: usize = 16;
/// ... more when much is held already, that part of it.
const GROWTH_PART: usize = 8;

pub struct Central {
    pool: Pool,
    /// Slabs with room, by class.
    partial: [*mut Slab; class::IN_SLABS],
    /// Blocks in caches count as used.
    statistics: Statistics,
}

// SAFETY: the memory belongs to nobody else.
unsafe impl Send for Central {}

impl Central {
    pub const fn new() -> Self {
        Self { pool: Pool::new(), partial: [null_mut(); class::IN_SLABS], statistics: Statistics::BEGUN }
    }

    /// Figures in which blocks in caches count as used.
    pub fn statistics(&self) -> Statistics {
        self.statistics.shown()
    }

    /// A block that no cache keeps.
    pub fn allocate(&mut self, layout: &Layout, pages: &impl PageSource) -> Option<NonNull<u8>> {
        let block = self.pool_block(Shape::of(layout)?, pages)?;
        self.statistics.add(1, layout.size());
        Some(block)
    }

    /// Takes such a block back.
    ///
    /// # Safety
    /// It came from [`Central::allocate`] with this layout and is not used any more.
    pub unsafe fn free(&mut self, block: NonNull<u8>, layout: &Layout, pages: &impl PageSource) {
        self.statistics.remove(1, layout.size());
        // SAFETY: as the caller promises.
        unsafe { self.give_pool(block, pages) };
    }

    fn pool_block(&mut self, shape: Shape, pages: &impl PageSource) -> Option<NonNull<u8>> {
        if let Some(block) = self.pool.take(shape) {
            return Some(block);
        }
        self.grow(shape, pages)?;
        self.pool.take(shape)
    }

    /// # Safety
    /// The block is the pool's and not used any more.
    unsafe fn give_pool(&mut self, block: NonNull<u8>, pages: &impl PageSource) {
        // SAFETY: the caller promises it of the block; a chunk that the pool returns is as the source gave it.
        unsafe {
            let Some(chunk) = self.pool.free(block) else { return };
            if pages.give_back(chunk) {
                self.statistics.held -= chunk.len();
            } else {
                self.pool.add(chunk);
            }
        }
    }

    #[cold]
    fn grow(&mut self, shape: Shape, pages: &impl PageSource) -> Option<()> {
        let least = page_align_up(shape.chunk()?)? / PAGE_SIZE;
        let usual = least.max(GROWTH).max(self.statistics.held / PAGE_SIZE / GROWTH_PART);
        let chunk = pages.pages(usual).or_else(|| pages.pages(least))?;
        self.statistics.grow(chunk.len());
        // SAFETY: a source's pages are ours, and nothing else refers to them.
        unsafe { self.pool.add(chunk) };
        Some(())
    }

    /// Up to `count` blocks of a class, linked, and how many: of what is there, or else what the first need brings.
    pub fn take(&mut self, class: usize, count: u32, pages: &impl PageSource) -> (*mut Free, u32) {
        let (mut list, mut taken) = (null_mut(), 0);
        while taken < count && (taken == 0 || class < class::IN_SLABS && !self.partial[class].is_null()) {
            let block = if class < class::IN_SLABS {
                self.slab_block(class, pages)
            } else {
                self.pool_block(class::shape(class), pages).map(NonNull::cast)
            };
            let Some(block) = block else { break };
            // SAFETY: the block is free, and has room for an address.
            unsafe { block.write(Free { next: list }) };
            list = block.as_ptr();
            taken += 1;
        }
        self.statistics.add(taken as usize, taken as usize * class::bytes(class));
        (list, taken)
    }

    /// Takes a list of blocks of a class back.
    ///
    /// # Safety
    /// They came from [`Central::take`] for this class and are not used any more.
    pub unsafe fn put(&mut self, class: usize, mut list: *mut Free, pages: &impl PageSource) {
        let mut count = 0;
        // SAFETY: as the caller promises, and a block's link is read before the block is put back.
        unsafe {
            while let Some(block) = NonNull::new(list) {
                list = block.as_ref().next;
                count += 1;
                if class < class::IN_SLABS {
                    self.give_slab(class, block.as_ptr(), pages);
                } else {
                    self.give_pool(block.cast(), pages);
                }
            }
        }
        self.statistics.remove(count, count * class::bytes(class));
    }

    fn slab_block(&mut self, class: usize, pages: &impl PageSource) -> Option<NonNull<Free>> {
        if self.partial[class].is_null() {
            let block = self.pool_block(Shape::slab(class::slab(class)), pages)?;
            // SAFETY: the pool gave it as a slab, just now.
            self.partial[class] = unsafe { Slab::begin(block) };
        }
        let slab = self.partial[class];
        // SAFETY: slabs in the list are of this class and have room; one that has none left leaves it.
        unsafe {
            let block = Slab::take(slab, class);
            if (*slab).is_full(class) {
                self.unlink(class, slab);
            }
            NonNull::new(block)
        }
    }

    /// # Safety
    /// The block is of this class and not used any more.
    unsafe fn give_slab(&mut self, class: usize, block: *mut Free, pages: &impl PageSource) {
        let slab = Slab::of(block, class);
        // SAFETY: the block's slab is one of ours; it is in the list exactly if it is not full.
        unsafe {
            if (*slab).is_full(class) {
                self.link(class, slab);
            }
            Slab::put(slab, block);
            let is_only = (*slab).next.is_null() && (*slab).previous.is_null();
            // The last one stays, or a block that comes and goes would take its slab along.
            if (*slab).is_empty() && !is_only {
                self.unlink(class, slab);
                if let Some(block) = Slab::block(slab) {
                    self.give_pool(block, pages);
                }
            }
        }
    }

    /// # Safety
    /// The slab is of this class and in no list.
    unsafe fn link(&mut self, class: usize, slab: *mut Slab) {
        let next = self.partial[class];
        // SAFETY: slabs in the list are ours.
        unsafe {
            (*slab).next = next;
            (*slab).previous = null_mut();
            if !next.is_null() {
                (*next).previous = slab;
            }
        }
        self.partial[class] = slab;
    }

    /// # Safety
    /// The slab is in the list of this class.
    unsafe fn unlink(&mut self, class: usize, slab: *mut Slab) {
        // SAFETY: slabs in the list are ours.
        unsafe {
            let (next, previous) = ((*slab).next, (*slab).previous);
            if !next.is_null() {
                (*next).previous = previous;
            }
            if previous.is_null() {
                self.partial[class] = next;
            } else {
                (*previous).next = next;
            }
        }
    }
}
