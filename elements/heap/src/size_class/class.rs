//! Which class a layout belongs to, and what is fixed for each class.

use core::alloc::Layout;

use crate::{classes, pool::Shape};

/// The largest blocks that caches keep.
const LARGEST: usize = 64 << 10;
/// The largest blocks that lie in slabs; others have a header of their own.
const LARGEST_IN_SLAB: usize = 1 << 10;
/// Blocks in slabs of a size that is a multiple of this are aligned to it.
const LARGEST_ALIGNMENT: usize = 64;
/// Classes of blocks.
pub const COUNT: usize = classes::index(LARGEST - 1) + 1;
/// Of them, classes in slabs: the first ones.
pub const IN_SLABS: usize = classes::index(LARGEST_IN_SLAB - 1) + 1;
/// Bytes that a magazine holds, ...
const MAGAZINE: usize = 16 << 10;
/// ... and blocks at most.
const MOST_BLOCKS: usize = 32;
/// A slab has room for so many blocks, two to that power, its own words not counted; and for more small ones.
const BLOCKS_IN_SLAB: usize = 4;

/// Classes by the size in units of 16 bytes, rounded up, of blocks that lie in slabs: most are so, and it is one load.
static SMALL: [u8; LARGEST_IN_SLAB / UNIT + 1] = small();
/// Bytes of the smallest class; those of all classes in slabs are multiples of it.
const UNIT: usize = 16;

const fn small() -> [u8; LARGEST_IN_SLAB / UNIT + 1] {
    let mut small = [0; LARGEST_IN_SLAB / UNIT + 1];
    let mut units = 1;
    while units < small.len() {
        small[units] = classes::index(units * UNIT - 1) as u8;
        units += 1;
    }
    small
}

/// Blocks in a full magazine of each class.
static BATCHES: [u8; COUNT] = batches();

const fn batches() -> [u8; COUNT] {
    let mut batches = [2; COUNT];
    let mut class = 0;
    while class < COUNT {
        let blocks = MAGAZINE / bytes(class);
        if blocks > 2 {
            batches[class] = if blocks < MOST_BLOCKS { blocks as u8 } else { MOST_BLOCKS as u8 };
        }
        class += 1;
    }
    batches
}

/// The class of a layout; `None` if no cache keeps such blocks.
#[inline]
pub fn of(layout: &Layout) -> Option<usize> {
    let (size, align) = (layout.size(), layout.align());
    if size <= LARGEST_IN_SLAB && align <= UNIT {
        return SMALL.get(size.div_ceil(UNIT)).map(|&class| class.into());
    }
    let largest = if align <= UNIT { LARGEST } else { LARGEST_IN_SLAB };
    if size > largest || align > LARGEST_ALIGNMENT {
        return None;
    }
    // The multiple of the alignment at or above, and not above `largest`, which is one.
    Some(classes::index((size.max(1) - 1) | (align - 1)))
}

/// Bytes of a class's blocks.
#[inline]
pub const fn bytes(class: usize) -> usize {
    classes::first(class + 1)
}

/// Blocks in a full magazine.
#[inline]
pub fn batch(class: usize) -> u32 {
    u32::from(BATCHES[class.min(COUNT - 1)])
}

/// Bytes of a class's slabs: a power of two, 4 KB at least.
#[inline]
pub const fn slab(class: usize) -> usize {
    1 << (classes::power(bytes(class) - 1) + 1 + BLOCKS_IN_SLAB)
}

/// How a block of its own lies, for classes that are not in slabs.
#[inline]
pub const fn shape(class: usize) -> Shape {
    Shape::behind_header(bytes(class))
}
