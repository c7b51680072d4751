//! A client of 9P2000.L: files and directories that another machine keeps, as [`vfs::Node`]s.
//!
//! Source throughout: the protocol as diod describes it (<https://github.com/chaos/diod/blob/master/protocol.md>) over
//! Plan 9's intro(5). Layers, from below: [`Transport`] brings a request there and its reply back; `message` and
//! `reply` write and read their bytes; `client` has a method per request, and numbers for what the server keeps open
//! (`fid`); `share` keeps what has been seen of the tree; `item` and `handle` are the nodes, and `found` makes them.
//!
//! # What is promised
//! A server is not trusted: every length, count, name and number of a reply is checked, and what cannot be is
//! [`vfs::FileError::Failed`]. When a write has answered, the server has the bytes; [`vfs::Node::sync`] goes through to
//! it. What others change there is seen at the next open (contents, see [`page_cache`]), within [`FRESH`] (attributes)
//! or [`TRUSTED`] (where directories and symbolic links are).
//!
//! Fids are taken for paths, as QEMU's are: asking about one that was walked to before asks about the name it was
//! walked to by. A server whose fids follow a renamed file shows it under its old name for as long as it is remembered.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod attributes;
mod client;
mod directory;
mod fid;
mod file;
mod found;
mod handle;
mod item;
mod known;
mod listing;
mod message;
mod node;
mod numbers;
mod remote;
mod reply;
mod requests;
mod share;
mod stand_in;
#[cfg(test)]
mod tests;

#[cfg(test)]
extern crate std;
mod transport;

pub use found::mount;
pub use share::World;
pub use transport::{Lost, Transport};

/// Nanoseconds for which attributes count as those of the file: long enough for the calls of one system call.
pub const FRESH: i64 = 1_000_000;

/// Nanoseconds for which a directory or symbolic link counts as being where it was.
pub const TRUSTED: i64 = 1_000_000_000;

/// Nodes that are remembered though nobody holds them.
const REMEMBERED: usize = 512;
