//! File systems that are tables: directories and texts computed when somebody looks (`/proc`, `/sys`).
//!
//! The tables are constants, so that a file system costs nothing until it is used. Nodes are made by each look-up and
//! forgotten afterwards.

mod node;
mod text;

use alloc::{sync::Arc, vec::Vec};

use crate::{Node, Place, Time};
use node::Pseudo;

/// What all nodes of one such file system share.
pub struct System {
    /// Its number.
    pub device: u64,
    /// The magic number that Linux has for this kind (statfs(2)).
    pub magic: u64,
    /// The present moment, which is when everything here was last changed.
    pub now: fn() -> Time,
    /// Its root directory.
    pub root: Listing,
}

/// A directory.
#[derive(Clone, Copy)]
pub struct Listing {
    /// Entries that are always there, in the order of their names.
    pub entries: &'static [Entry],
    /// Entries that come and go.
    pub more: Option<More>,
}

/// An entry: its name and what it is.
#[derive(Clone, Copy)]
pub struct Entry {
    /// Its name.
    pub name: &'static str,
    /// What it is.
    pub item: Item,
}

/// Entries that come and go.
#[derive(Clone, Copy)]
pub struct More {
    /// The entry of that name.
    pub find: fn(&[u8]) -> Option<Item>,
    /// All of them, in any order.
    pub all: fn() -> Vec<(Vec<u8>, Item)>,
}

/// What an entry is.
#[derive(Clone, Copy)]
pub enum Item {
    /// A directory.
    Directory(&'static Listing),
    /// A file whose text is written anew each time it is read from its beginning.
    Text(fn(&mut Vec<u8>)),
    /// A symbolic link whose target may change.
    Link(fn() -> Vec<u8>),
    /// A link that leads to a node without a path; the number says which of several.
    Jump(fn(u32) -> Option<Target>, u32),
}

/// Where a [`Item::Jump`] leads.
pub struct Target {
    /// What reading the link tells.
    pub path: Vec<u8>,
    /// The node; without one the path is followed.
    pub node: Option<Arc<dyn Node>>,
}

impl Entry {
    /// An entry.
    #[must_use]
    pub const fn new(name: &'static str, item: Item) -> Self {
        Self { name, item }
    }
}

impl Listing {
    /// A directory of these entries.
    #[must_use]
    pub const fn new(entries: &'static [Entry]) -> Self {
        Self { entries, more: None }
    }
}

/// The root of `system`, which stands at `place`.
#[must_use]
pub fn root(system: &'static System, place: Place) -> Arc<dyn Node> {
    Arc::new(Pseudo::new(system, Item::Directory(&system.root), 1, Some(place)))
}

#[cfg(test)]
mod tests;
