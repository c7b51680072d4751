//! The heaps that are measured. Each is called as one is called that is not inlined, for C's cannot be.

use std::alloc::Layout;
use std::ptr::NonNull;

use heap::{Block, Buddy, Bump, FirstFit, Heap, SizeClass, Tlsf};

use crate::load::{Load, Random, pairs};
use crate::pages::{HostPages, ThreadNumber};

/// A heap.
pub struct Subject {
    pub name: &'static str,
    pub allocate: fn(usize) -> *mut u8,
    pub free: fn(*mut u8, usize),
    /// The measured loop for it.
    pub pairs: fn(&mut [(*mut u8, usize)], usize, &mut Random, usize),
    /// How many times fewer pairs it is measured with.
    pub slowness: usize,
    /// The most slots, and the largest block, that it ends with in reasonable time and memory.
    pub most: (usize, usize),
}

impl Subject {
    /// Whether it is measured under that load.
    pub fn takes(&self, load: &Load) -> bool {
        load.slots <= self.most.0 && load.largest <= self.most.1
    }
}

const ANY: (usize, usize) = (usize::MAX, usize::MAX);

macro_rules! subject {
    ($name:literal, $slowness:literal, $most:expr, $allocate:expr, $free:expr) => {{
        #[inline(never)]
        fn allocate(size: usize) -> *mut u8 {
            let allocate: fn(usize) -> *mut u8 = $allocate;
            allocate(size)
        }
        #[inline(never)]
        fn free(block: *mut u8, size: usize) {
            let free: fn(*mut u8, usize) = $free;
            free(block, size)
        }
        fn measured(slots: &mut [(*mut u8, usize)], largest: usize, random: &mut Random, count: usize) {
            pairs(slots, largest, random, count, allocate, free)
        }
        Subject { name: $name, allocate, free, pairs: measured, slowness: $slowness, most: $most }
    }};
}

/// A heap of the house.
macro_rules! ours {
    ($name:literal, $slowness:literal, $most:expr, $type:ty) => {{
        static HEAP: $type = <$type>::new();
        subject!(
            $name,
            $slowness,
            $most,
            |size| {
                // SAFETY: 1 is a power of two, and sizes are far below the largest.
                let layout = unsafe { Layout::from_size_align_unchecked(size, 1) };
                HEAP.allocate(layout).map_or(std::ptr::null_mut(), NonNull::as_ptr)
            },
            |block, size| {
                // SAFETY: the block came from this heap with this size, and its slot is filled anew.
                unsafe {
                    let layout = Layout::from_size_align_unchecked(size, 1);
                    HEAP.free(Block::new(NonNull::new_unchecked(block), layout));
                }
            }
        )
    }};
}

/// A heap written in C.
macro_rules! foreign {
    ($name:literal, $malloc:path, $free:path) => {
        subject!(
            $name,
            1,
            ANY,
            |size| {
                // SAFETY: any size may be asked for.
                unsafe { $malloc(size).cast() }
            },
            |block, _| {
                // SAFETY: the block came from this heap, and its slot is filled anew.
                unsafe { $free(block.cast()) }
            }
        )
    };
}

/// All of them.
pub static SUBJECTS: [Subject; 8] = [
    foreign!("glibc", libc::malloc, libc::free),
    foreign!("mimalloc", libmimalloc_sys::mi_malloc, libmimalloc_sys::mi_free),
    ours!("size-class", 1, ANY, SizeClass<HostPages, ThreadNumber, 2>),
    ours!("size-class-locked", 1, ANY, SizeClass<HostPages>),
    ours!("tlsf", 1, ANY, Tlsf<HostPages>),
    ours!("buddy", 1, ANY, Buddy<HostPages>),
    // Each walks over as many gaps as there are blocks.
    ours!("first-fit", 10, (1_000, usize::MAX), FirstFit<HostPages>),
    // Memory does not come back: so few pairs that it lasts.
    ours!("bump", 20, (1_000, 1 << 10), Bump<HostPages>),
];
