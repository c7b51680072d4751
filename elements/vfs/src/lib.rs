//! Files without an operating system: nodes, walking paths, a RAM file system, pipes.
//!
//! Everything that can be opened is a [`Node`]. A [`View`] is the tree as one process sees it (its root, its working
//! directory, its rights); it turns paths into nodes and carries out what changes the tree, across the file
//! systems that [`Mounts`] joins. [`ramfs`] keeps files in
//! memory, the first contents in place in the boot archive. Bytes go through [`Sink`] and [`Source`], so that a read
//! copies once, from where the bytes are to where they are wanted. What stands on nodes and needs no more of them is in
//! elements above: pages of files that live elsewhere (`page-cache`), sockets (`unix-sockets`), who is told of changes
//! (`watches`).
//!
//! Nothing here waits: what would wait answers [`FileError::WouldBlock`], and the layer above waits for
//! [`Node::readiness`].
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod copy;
mod credentials;
mod error;
mod extended;
mod known;
mod mapping;
mod metadata;
mod mounts;
mod name;
mod node;
pub mod overlay;
pub mod packed;
pub mod pipe;
pub mod pseudo;
pub mod ramfs;
mod root;
pub mod seen;
mod shares;
mod slash;
mod terminal;
mod transfer;
mod tree;
pub mod upwards;
mod view;
mod volumes;

pub use credentials::{Credentials, Powers, Rights};
pub use error::FileError;
pub use extended::{Extended, Setting};
pub use known::keep_paths;
pub use mapping::{FilePages, Mappings, Shows, run_of};
pub use metadata::{Change, FileSystem, Kind, Metadata, Owner, Time};
pub use mounts::{Mount, Mounting, Mounts};
pub use name::Name;
pub use node::{
    Creation, Cursor, Identity, InPlace, Listed, MakeKind, Node, NodeReference, Place, Readiness, Removal, RenameMode,
    Seeking, same,
};
pub use root::{Given, RootFiles};
pub use shares::Shares;
pub use terminal::{Control, Flow, Master, Terminal, Timing};
pub use transfer::{Moved, ShortSink, ShortSource, Sink, SliceSink, SliceSource, Source, UnfilledSink, VecSink};
pub use tree::Tree;
pub use view::{Confinement, Follow, Found, Last, MOST_LINKS, OpenRequest, Opened, View};
pub use volumes::{Unmountable, Volumes};

/// Longest name of a directory entry, in bytes (NAME_MAX).
pub const NAME_LENGTH: usize = 255;

/// A copy of a name. One function, because in line it is five times its call.
#[inline(never)]
fn copied(name: &[u8]) -> alloc::vec::Vec<u8> {
    name.to_vec()
}

#[cfg(test)]
mod tests;
