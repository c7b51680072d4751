//! The buddy system (K. Knowlton, "A fast storage allocator", CACM 8, 1965): blocks are powers of two, each aligned to
//! its size, cut in halves and joined with the other half again.
//!
//! Little fragments are left between blocks; within them up to half is lost.

mod arena;

use core::{
    alloc::Layout,
    ptr::{NonNull, null_mut},
};

use arena::{Arena, Free, LEAST_ORDER};
use machine::{PAGE_SIZE, page_align_up};
use sync::Mutex;

use crate::{Block, Heap, PageSource, Statistics};

/// Pages of the first arena, if there are so many; later ones are as large as all before.
const GROWTH: usize = 16;
/// Orders of blocks; larger ones than two to this power are not to be had.
const ORDERS: usize = 48;

/// A buddy heap over pages of `P`.
pub struct Buddy<P> {
    state: Mutex<State>,
    pages: P,
}

struct State {
    /// Free blocks by order.
    lists: [*mut Free; ORDERS],
    /// A bit for each list that is not empty.
    filled: u64,
    arenas: *mut Arena,
    /// An arena that had no block in use when last looked at, kept for the next need; or null.
    empty: *mut Arena,
    statistics: Statistics,
}

// SAFETY: the memory belongs to nobody else.
unsafe impl Send for State {}

/// The order of the blocks for a layout.
fn order(layout: &Layout) -> Option<u32> {
    let bytes = layout.size().max(layout.align()).max(1 << LEAST_ORDER);
    Some(bytes.checked_next_power_of_two()?.ilog2()).filter(|&order| (order as usize) < ORDERS)
}

impl State {
    const fn new() -> Self {
        let (arenas, empty, statistics) = (null_mut(), null_mut(), Statistics::BEGUN);
        Self { lists: [null_mut(); ORDERS], filled: 0, arenas, empty, statistics }
    }

    /// The arena of a block, which is there.
    fn arena(&self, address: usize) -> *mut Arena {
        let mut arena = self.arenas;
        while !Arena::contains(arena, address) {
            // SAFETY: arenas in the list are there, and the block lies in one.
            arena = unsafe { (*arena).next };
        }
        arena
    }

    /// Puts a free block into its list.
    ///
    /// # Safety
    /// It lies in the arena, is aligned to its size, and is nobody's.
    unsafe fn insert(&mut self, arena: *mut Arena, offset: usize, order: u32) {
        let next = self.lists[order as usize];
        // SAFETY: as the caller promises; blocks in lists are free.
        unsafe {
            let block = arena.byte_add(offset).cast::<Free>();
            block.write(Free { next, previous: null_mut(), order });
            if !next.is_null() {
                (*next).previous = block;
            }
            Arena::mark(arena, offset, true);
            self.lists[order as usize] = block;
        }
        self.filled |= 1 << order;
    }

    /// Takes a free block out of its list.
    ///
    /// # Safety
    /// It is a free block of this arena.
    unsafe fn remove(&mut self, arena: *mut Arena, block: NonNull<Free>) {
        // SAFETY: as the caller promises; blocks in lists are free.
        unsafe {
            let Free { next, previous, order } = *block.as_ptr();
            if !next.is_null() {
                (*next).previous = previous;
            }
            if previous.is_null() {
                self.lists[order as usize] = next;
                if next.is_null() {
                    self.filled &= !(1 << order);
                }
            } else {
                (*previous).next = next;
            }
            Arena::mark(arena, block.addr().get() - arena.addr(), false);
        }
    }

    /// A block of that order, cut from the least one that is large enough.
    fn take(&mut self, order: u32) -> Option<NonNull<u8>> {
        let enough = self.filled >> order << order;
        let block = NonNull::new(*self.lists.get(enough.trailing_zeros() as usize)?)?;
        let arena = self.arena(block.addr().get());
        let offset = block.addr().get() - arena.addr();
        // SAFETY: the block is free, and the halves that are cut off lie in it.
        unsafe {
            self.remove(arena, block);
            for half in (order..enough.trailing_zeros()).rev() {
                self.insert(arena, offset + (1 << half), half);
            }
            (*arena).used += 1;
            NonNull::new(arena.byte_add(offset).cast())
        }
    }

    /// Takes a block back; an arena that nobody needs any more is returned, and the caller's again.
    ///
    /// # Safety
    /// The block is of this heap and order and not used any more.
    unsafe fn put(&mut self, block: NonNull<u8>, mut order: u32) -> Option<NonNull<Arena>> {
        let arena = self.arena(block.addr().get());
        let mut address = block.addr().get();
        // SAFETY: the block's arena is one of ours, and its buddies lie in it or are not found.
        unsafe {
            let buddy = |address: usize, order: u32| {
                Arena::free_block(arena, (address ^ 1 << order).wrapping_sub(arena.addr()), order)
            };
            while let Some(other) = buddy(address, order) {
                self.remove(arena, other);
                address &= !(1 << order);
                order += 1;
            }
            self.insert(arena, address - arena.addr(), order);
            (*arena).used -= 1;
            if (*arena).used > 0 {
                return None;
            }
            if self.empty.is_null() || self.empty == arena || (*self.empty).used > 0 {
                self.empty = arena;
                return None;
            }
            self.forget(arena);
        }
        NonNull::new(arena)
    }

    /// Takes an arena and its blocks out of all lists.
    ///
    /// # Safety
    /// No block of it is in use.
    unsafe fn forget(&mut self, arena: *mut Arena) {
        // SAFETY: behind each free block lies the next one, and the arena is in the list.
        unsafe {
            let mut offset = (*arena).first();
            while offset < (*arena).bytes {
                let block = arena.byte_add(offset).cast::<Free>();
                offset += 1 << (*block).order;
                self.remove(arena, NonNull::new_unchecked(block));
            }
            let mut link = &raw mut self.arenas;
            while *link != arena {
                link = &raw mut (**link).next;
            }
            *link = (*arena).next;
        }
    }

    /// Takes pages; they become the largest aligned blocks that lie in them.
    ///
    /// # Safety
    /// They are writable, aligned to a page, and nobody else's.
    unsafe fn add(&mut self, memory: NonNull<[u8]>) {
        self.statistics.grow(memory.len());
        // SAFETY: as the caller promises; the blocks lie in the arena behind its words.
        unsafe {
            let arena = Arena::begin(memory);
            let mut offset = (*arena).first();
            while offset < memory.len() {
                let aligned = (arena.addr() + offset).trailing_zeros();
                let order = aligned.min((memory.len() - offset).ilog2()).min(ORDERS as u32 - 1);
                self.insert(arena, offset, order);
                offset += 1 << order;
            }
            (*arena).next = self.arenas;
            self.arenas = arena;
        }
    }
}

impl<P: PageSource> Buddy<P> {
    /// An empty heap; it asks `P` for pages at its first allocation.
    #[must_use]
    pub const fn new() -> Self {
        Self { state: Mutex::new(State::new()), pages: P::NEW }
    }

    #[cold]
    fn grow(&self, state: &mut State, order: u32) -> Option<()> {
        let least = page_align_up(Arena::bytes_for(order)?)? / PAGE_SIZE;
        let usual = least.max(GROWTH).max(state.statistics.held / PAGE_SIZE);
        let memory = self.pages.pages(usual).or_else(|| self.pages.pages(least))?;
        // SAFETY: a source's pages are ours, and nothing else refers to them.
        unsafe { state.add(memory) };
        Some(())
    }
}

impl<P: PageSource> Default for Buddy<P> {
    fn default() -> Self {
        Self::new()
    }
}

impl<P: PageSource> Heap for Buddy<P> {
    fn allocate(&self, layout: Layout) -> Option<NonNull<u8>> {
        let order = order(&layout)?;
        let mut state = self.state.lock();
        let mut block = state.take(order);
        if block.is_none() {
            self.grow(&mut state, order)?;
            block = state.take(order);
        }
        state.statistics.add(1, 1 << order);
        block
    }

    fn free(&self, block: Block) {
        let Some(order) = order(&block.layout()) else { return };
        let mut state = self.state.lock();
        state.statistics.remove(1, 1 << order);
        // SAFETY: a `Block` promises that its pointer came from this heap with its layout and is not used any more; an
        // empty arena is as the source gave it.
        unsafe {
            let Some(arena) = state.put(block.pointer(), order) else { return };
            let memory = arena.as_ref().memory(arena);
            state.statistics.held -= memory.len();
            if !self.pages.give_back(memory) {
                state.add(memory);
            }
        }
    }

    fn statistics(&self) -> Statistics {
        self.state.lock().statistics.shown().within(self.pages.limit())
    }
}
