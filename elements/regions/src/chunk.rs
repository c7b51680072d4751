//! Where a region is: a chunk of the set, and its place in that.

use alloc::vec::Vec;

use crate::Region;

/// Most regions of a chunk. To move as many costs less than to look for them.
pub const MOST: usize = 128;

/// Regions that follow each other.
#[derive(Clone, Debug)]
pub struct Chunk {
    pub list: Vec<Region>,
}

impl Chunk {
    pub fn with_capacity(count: usize) -> Self {
        Self { list: Vec::with_capacity(count) }
    }
}

/// A chunk's number, and a region's in it. Behind all regions: behind the last one of the last chunk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    pub chunk: usize,
    pub index: usize,
}
