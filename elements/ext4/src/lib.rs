//! ext2, ext3 and ext4 (<https://docs.kernel.org/filesystems/ext4/>), read only: as [`vfs::Node`]s, with inode numbers,
//! links and times as they are on the disk.
//!
//! Layers, from below: `field` takes numbers out of bytes; `superblock` says what the disk is; `volume` reads what
//! describes files, through the disk's page cache; `inode` is what is known of a file, `extents` and `pointers` say
//! where its blocks are (`run`), `contents` reads them straight into a page cache of the file's own; `directory` lists;
//! `known` keeps what is known of them, `nodes` one node for each; `node` is the tree.
//!
//! # What is promised
//! Nothing is written. The bytes of an image are not trusted: what cannot be is [`vfs::FileError::Failed`], and every
//! walk has an end. Not there: checksums are not looked at, a journal is not replayed (such an image is refused),
//! extended attributes, encryption, file contents inside inodes, and descriptors of groups in the groups themselves
//! (`meta_bg`); each is refused by its name if reading needs it.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod contents;
mod directory;
mod extents;
mod field;
mod inode;
mod known;
mod node;
mod nodes;
mod pointers;
mod run;
mod superblock;
#[cfg(test)]
mod tests;
mod volume;

use alloc::sync::Arc;

use page_cache::{Backing, Contents, Pool};
use vfs::{Kind, Node, Unmountable};

/// What a file system needs of the world around it.
pub struct World {
    /// Its number, as stat(2) shows it.
    pub device: u64,
    /// The disk's bytes by way of its page cache: for what describes files.
    pub disk: Arc<Contents>,
    /// The disk's bytes as they are: for what is in files.
    pub store: Arc<dyn Backing>,
    /// Memory for files' contents.
    pub pool: &'static Pool,
}

/// Whether a disk looks like one with such a file system.
#[must_use]
pub fn is_on(disk: &Contents) -> bool {
    superblock::has_magic(disk)
}

/// The root of the file system on a disk.
pub fn mount(world: World) -> Result<Arc<dyn Node>, Unmountable> {
    let nodes = nodes::Nodes::new(volume::Volume::open(world)?);
    match node::Item::found(&nodes, superblock::ROOT, None) {
        Ok(root) if root.kind() == Kind::Directory => Ok(root),
        _ => Err(Unmountable("its root directory cannot be read")),
    }
}
