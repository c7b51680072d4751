//! File systems that are tables: directories and texts computed when somebody looks (`/proc`, `/sys`).
//!
//! The tables are constants, so that a file system costs nothing until it is used. Nodes are made by each look-up and
//! forgotten afterwards.

mod node;
mod number;
mod trail;

use alloc::{sync::Arc, vec::Vec};

use crate::{FileError, Node, Owner, Time};
use node::Pseudo;

pub use number::append_number;
pub use trail::Trail;

/// The magic number of `/proc` (statfs(2)).
pub const PROC: u64 = 0x9fa0;

/// The number of a root directory.
const ROOT: u64 = 1;

/// What all nodes of one such file system share.
pub struct System {
    /// Its number.
    pub device: u64,
    /// The magic number that Linux has for this kind (statfs(2)).
    pub magic: u64,
    /// The present moment, which is when everything here was last changed.
    pub now: fn() -> Time,
    /// Whose an entry is.
    pub owner: fn(Trail) -> Owner,
    /// Its root directory.
    pub root: Listing,
}

/// A directory.
#[derive(Clone, Copy)]
pub struct Listing {
    /// Entries that are always there, in the order of their names.
    pub entries: &'static [Entry],
    /// Entries that come and go.
    pub numbered: Option<Numbered>,
}

/// An entry: its name and what it is.
#[derive(Clone, Copy)]
pub struct Entry {
    /// Its name.
    pub name: &'static str,
    /// What it is.
    pub item: Item,
}

/// Entries that come and go, and have numbers for names.
#[derive(Clone, Copy)]
pub struct Numbered {
    /// The entry of that number, which is in a directory with these above it.
    pub find: fn(Trail, u32) -> Option<Item>,
    /// The lowest number from this one on that has an entry.
    pub next: fn(Trail, u32) -> Option<u32>,
    /// Names that the numbers have instead.
    pub names: Option<Names>,
}

/// Names of entries that come and go.
#[derive(Clone, Copy)]
pub struct Names {
    /// The name of a number, which was there a moment ago.
    pub name: fn(u32) -> Vec<u8>,
    /// The number of a name.
    pub number: fn(&[u8]) -> Option<u32>,
}

impl Numbered {
    fn number(&self, name: &[u8]) -> Option<u32> {
        self.names.map_or_else(|| number::number(name), |names| (names.number)(name))
    }

    fn name(&self, number: u32) -> Vec<u8> {
        self.names.map_or_else(|| number::name(number), |names| (names.name)(number))
    }
}

/// What an entry is. Functions are given the number beside them, so that one can serve several entries, and those that
/// are about something that has a number are told the numbers on the way there.
#[derive(Clone, Copy)]
pub enum Item {
    /// A directory.
    Directory(&'static Listing),
    /// A directory for its owner alone.
    OwnersDirectory(&'static Listing),
    /// A directory that somebody chooses when it is looked at.
    Chosen(fn() -> &'static Listing),
    /// The root of another such file system, which is found here as if it were mounted.
    Other(&'static System),
    /// A file that always says the same.
    Fixed(&'static str),
    /// A file whose text is appended anew each time it is read from its beginning.
    Text(fn(u32, &mut Vec<u8>), u32),
    /// The same about what has a number for a name.
    Of(fn(Trail, u32, &mut Vec<u8>), u32),
    /// The same, for its owner alone.
    OwnersText(fn(Trail, u32, &mut Vec<u8>), u32),
    /// The same, and it can be written: the first bytes of each write are told.
    Change(fn(Trail, u32, &mut Vec<u8>), fn(Trail, &[u8]) -> Result<(), FileError>, u32),
    /// A file that cannot be read.
    Nothing,
    /// A symbolic link: to what it says at the moment, or to a node without a path; or it refuses to say.
    Link(fn(Trail, u32, Wanted) -> Result<Target, FileError>, u32),
}

/// What is asked of an [`Item::Link`]. To put a path together may mean to ask this very link for its node, so that who
/// asks for the one is not to bring about the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// What reading the link tells.
    Path,
    /// The node that it leads to, if it has one: else the path is followed.
    Node,
}

/// Where an [`Item::Link`] leads.
pub enum Target {
    /// What reading the link tells; an answer to both questions where the path is followed.
    Path(Vec<u8>),
    /// The node.
    Node(Arc<dyn Node>),
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
        Self { entries, numbered: None }
    }
}

/// The root of `system`.
#[must_use]
pub fn root(system: &'static System) -> Arc<dyn Node> {
    Pseudo::made(system, Item::Directory(&system.root), ROOT, Trail::START, None)
}

/// A file of `system` that is in none of its directories, has this number, and cannot be read.
#[must_use]
pub fn nothing(system: &'static System, inode: u64) -> Arc<dyn Node> {
    Pseudo::made(system, Item::Nothing, inode, Trail::START, None)
}

#[cfg(test)]
mod tests;
