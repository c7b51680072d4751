//! Kernel heaps: the trait and its providers.
#![no_std]
// Handing out raw memory is this element's purpose.
#![allow(unsafe_code)]

mod buddy;
mod bump;
mod classes;
mod early;
mod first_fit;
mod pool;
mod region;
mod size_class;
mod small;
mod statistics;
mod tlsf;

use core::{alloc::Layout, ptr::NonNull};

pub use buddy::Buddy;
pub use bump::Bump;
pub use early::Early;
pub use first_fit::FirstFit;
pub use region::Region;
pub use size_class::{Processors, SizeClass, Turns};
pub use statistics::Statistics;
pub use tlsf::Tlsf;

/// A block that came from a heap and goes back to it once.
#[derive(Debug)]
pub struct Block {
    pointer: NonNull<u8>,
    layout: Layout,
}

impl Block {
    /// Names a block that is to be freed.
    ///
    /// # Safety
    /// `pointer` came from [`Heap::allocate`] of the same heap with this `layout`, has not been freed, and nothing
    /// refers to its memory any more.
    #[must_use]
    pub const unsafe fn new(pointer: NonNull<u8>, layout: Layout) -> Self {
        Self { pointer, layout }
    }

    /// The block's address.
    #[must_use]
    pub const fn pointer(&self) -> NonNull<u8> {
        self.pointer
    }

    /// The size and alignment it was asked for with.
    #[must_use]
    pub const fn layout(&self) -> Layout {
        self.layout
    }
}

/// Where a heap's memory comes from.
///
/// # Safety
/// The memory that [`PageSource::pages`] returns is writable, aligned to a page, not referred to by anything else,
/// and stays so until it is given back.
pub unsafe trait PageSource: Sync {
    /// The instance.
    const NEW: Self;

    /// `count` contiguous pages, or `None` when there are no more.
    fn pages(&self, count: usize) -> Option<NonNull<[u8]>>;

    /// Bytes of all pages that there are, given out or not; `usize::MAX` if that is not known.
    fn limit(&self) -> usize {
        usize::MAX
    }

    /// Takes pages back; `false` if it cannot, and they stay the heap's.
    ///
    /// # Safety
    /// It is the whole of what one call of [`PageSource::pages`] returned, and nothing refers to it any more.
    unsafe fn give_back(&self, _memory: NonNull<[u8]>) -> bool {
        false
    }
}

declaration::contract! {
    heap = "memory of any size and alignment";

    /// A heap: memory of any size and alignment.
    pub trait Heap: Sync {
        /// A block of at least `layout.size()` bytes, uninitialised; `None` when memory is used up.
        fn allocate(&self, layout: core::alloc::Layout) -> Option<core::ptr::NonNull<u8>>;

        /// Takes a block back.
        fn free(&self, block: Block);

        /// What is in use.
        fn statistics(&self) -> Statistics;
    }
}
