//! The book of an address space: which ranges exist, what may be done there, and where contents come from.
//!
//! Pure bookkeeping over page-aligned ranges: it maps nothing. The kernel's memory manager writes down here what it
//! tells the platform, and looks here when a fault must be explained.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod chunk;
mod file;
mod gap;
mod region;
mod set;
mod widest;

#[cfg(test)]
mod many;
#[cfg(test)]
mod tests;

pub use file::{FileReference, MappedFile, NoPage, NotKept};
pub use region::{Region, RegionKind, STACK_GAP};
pub use set::{Keep, Many, Regions};
