//! Locks on open files: who holds them is an open file or a process.

use range_locks::{File, Locks};

use super::Description;

/// All locks.
pub static LOCKS: Locks = Locks::new();

/// The file that locks of a description are on.
pub fn file(description: &Description) -> File {
    let metadata = description.entry.metadata();
    (metadata.device, metadata.inode)
}

/// What an open file is as the holder of locks.
pub fn holder(description: &Description) -> usize {
    core::ptr::from_ref(description).addr()
}
