//! Telling those who watch files what happens to them (inotify(7)).
//!
//! Each call that opens, reads or changes files says so here, when it holds no lock; while nobody watches, that is one
//! look at a word. An event goes to who watches the directory of the name by which it came about, and to who watches
//! the node.

pub mod entries;

pub use entries::{linked, made, opened, removed, renamed};

use alloc::{sync::Arc, vec::Vec};

use linux_abi::constants::OpenFlags;
use vfs::{Identity, Kind, Last, Node};
use watches::{ACCESS, CLOSED_READ, CLOSED_WRITTEN, IS_DIRECTORY, MODIFIED, Told, Watches};

use super::description::Description;

/// All watches.
pub static WATCHES: Watches = Watches::new();

/// Whether anybody watches anything.
#[inline(always)]
pub fn is_watched() -> bool {
    contracts::config().inotify && !WATCHES.is_empty()
}

/// A directory, and a name in it.
pub type Standing = (Arc<dyn Node>, Vec<u8>);

/// Where a node stands that was found by that name. A directory knows it better.
pub fn standing(node: &Arc<dyn Node>, parent: &Arc<dyn Node>, last: &Last) -> Option<Standing> {
    match last {
        _ if node.kind() == Kind::Directory => node.place().map(|place| (place.parent, place.name.into_owned())),
        Last::Name(name) => Some((parent.clone(), name.to_vec())),
        _ => None,
    }
}

/// The events, and whether it is a directory that they happen to.
fn of(node: &Arc<dyn Node>, events: u32) -> u32 {
    if node.kind() == Kind::Directory { events | IS_DIRECTORY } else { events }
}

/// Tells who watches the directory that a node stands in, and who watches the node.
pub fn tell(node: &Arc<dyn Node>, standing: Option<&Standing>, events: u32, unlinked: bool) {
    let events = of(node, events);
    // When bytes move through a device or pipe, only who may read it is to know (fsnotify_access of Linux 6.11).
    let is_private = events & (ACCESS | MODIFIED) != 0
        && matches!(node.kind(), Kind::Character | Kind::Block | Kind::Pipe | Kind::Socket);
    if let Some((parent, name)) = standing
        && !is_private
    {
        WATCHES.tell(&Told { to: parent.identity(), name: Some(name), events, cookie: 0, unlinked });
    }
    WATCHES.tell(&Told { to: node.identity(), name: None, events, cookie: 0, unlinked });
}

impl Description {
    /// Something has happened by way of this open file.
    #[inline(always)]
    pub fn tell(&self, events: u32) {
        if is_watched() {
            tell_open(self, events);
        }
    }

    /// So many bytes have been moved; none is nothing that happened.
    #[inline(always)]
    pub fn tell_moved(&self, count: usize, events: u32) {
        if is_watched() && count > 0 {
            tell_open(self, events);
        }
    }

    /// It is being closed.
    #[inline(always)]
    pub fn tell_closed(&self) {
        if is_watched() && !self.flags().contains(OpenFlags::O_PATH) {
            let reads = self.flags().access() == OpenFlags::O_RDONLY;
            tell_open(self, if reads { CLOSED_READ } else { CLOSED_WRITTEN });
        }
    }
}

#[cold]
#[inline(never)]
fn tell_open(description: &Description, events: u32) {
    let origin = description.origin();
    let unlinked = WATCHES.asks_unlinked() && origin.is_gone(description.entry.counted());
    tell(description.entry.counted(), origin.standing(description.entry.counted()).as_ref(), events, unlinked);
}

/// What a description leaves when all else of it has gone: who watches a node without a name hears that it has gone
/// too.
#[derive(Default)]
pub struct Farewell(Option<Identity>);

impl Farewell {
    /// It is of this node.
    #[inline(always)]
    pub fn of(&mut self, node: &Arc<dyn Node>) {
        if is_watched() {
            self.0 = Some(node.identity());
        }
    }
}

impl Drop for Farewell {
    fn drop(&mut self) {
        // An image without watches has nothing of them, which `None` alone does not tell its compiler.
        if contracts::config().inotify
            && let Some(of) = self.0
        {
            WATCHES.sweep_one(of);
        }
    }
}
