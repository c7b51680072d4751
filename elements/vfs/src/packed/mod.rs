//! A boot archive as a file system that is only read: nothing is unpacked, and each look-up goes through the headers.
//!
//! For the few files of a small image. Nothing changes, so there is nothing to lock, and what is not looked at takes no
//! memory. An entry counts for each part of its path, so directories need not be named. Names of ours are not shown,
//! nor are entries with a `..` in their path.

mod entries;
mod node;

use alloc::sync::Arc;

use archive::{Archive, ArchiveError};

use crate::Node;

/// The root of the archive `bytes`, as file system number `device`; an error if it cannot be read to its end.
pub fn root(device: u64, bytes: &'static [u8]) -> Result<Arc<dyn Node>, ArchiveError> {
    Archive::new(bytes).entries().try_for_each(|entry| entry.map(drop))?;
    Ok(node::Packed::root(device, bytes))
}

#[cfg(test)]
mod tests;
