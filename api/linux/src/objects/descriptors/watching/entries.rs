//! Entries that come, go and move.

use alloc::sync::Arc;

use linux_abi::constants::OpenFlags;
use vfs::{Found, Kind, Last, Node, RenameMode};
use watches::{ATTRIBUTES, CREATED, DELETED, MODIFIED, MOVED_FROM, MOVED_SELF, MOVED_TO, OPENED, Told};

use super::{WATCHES, is_watched, of, tell};
use crate::objects::descriptors::{description::Description, origin::Origin};

/// Tells who watches a directory of one of its entries, which is, or was, `node`.
fn tell_entry(parent: &Arc<dyn Node>, last: &Last, node: &Arc<dyn Node>, events: u32, cookie: u32) {
    if let Last::Name(name) = last {
        let events = of(node, events);
        WATCHES.tell(&Told { to: parent.identity(), name: Some(name), events, cookie, unlinked: false });
    }
}

/// An entry has been made.
#[inline]
pub fn made(found: &Found) {
    if is_watched() {
        tell_made(found);
    }
}

#[cold]
#[inline(never)]
fn tell_made(found: &Found) {
    if let Some(node) = &found.node {
        tell_entry(&found.parent, &found.last, node, CREATED, 0);
    }
}

/// A node has one name more.
#[inline]
pub fn linked(found: &Found, node: &Arc<dyn Node>) {
    if is_watched() {
        tell_linked(found, node);
    }
}

#[cold]
#[inline(never)]
fn tell_linked(found: &Found, node: &Arc<dyn Node>) {
    tell(node, None, ATTRIBUTES, false);
    tell_entry(&found.parent, &found.last, node, CREATED, 0);
}

/// A file has been opened, and cut to nothing if it was not made at that.
#[inline(always)]
pub fn opened(description: &Description, is_new: bool, is_cut: bool) {
    if is_watched() && !description.flags().contains(OpenFlags::O_PATH) {
        tell_opened(description, is_new, is_cut);
    }
}

#[cold]
#[inline(never)]
fn tell_opened(description: &Description, is_new: bool, is_cut: bool) {
    if is_new && let Origin::Entry { parent, last } = description.origin() {
        tell_entry(&parent, &last, description.entry.counted(), CREATED, 0);
    }
    description.tell(OPENED);
    if is_cut && !is_new && description.entry.kind() == Kind::Regular {
        description.tell(MODIFIED);
    }
}

/// An entry has been removed, as it was found before.
#[inline]
pub fn removed(found: Found) {
    if is_watched() {
        tell_removed(found);
    }
}

#[cold]
#[inline(never)]
fn tell_removed(found: Found) {
    let Found { parent, last, node: Some(node), .. } = found else { return };
    let deleted = of(&node, DELETED);
    lose_name(node);
    if let Last::Name(name) = &last {
        let to = parent.identity();
        WATCHES.tell(&Told { to, name: Some(name), events: deleted, cookie: 0, unlinked: false });
    }
}

/// What had a name that is gone.
fn lose_name(node: Arc<dyn Node>) {
    let is_directory = node.kind() == Kind::Directory;
    if !is_directory {
        tell(&node, None, ATTRIBUTES, false);
    }
    if is_directory || node.metadata().links == 0 {
        WATCHES.part_with(node);
    }
}

/// Two places as they were before a rename.
#[inline]
pub fn renamed(places: [Found; 2], mode: RenameMode) {
    if is_watched() {
        tell_renamed(places, mode);
    }
}

#[cold]
#[inline(never)]
fn tell_renamed([from, to]: [Found; 2], mode: RenameMode) {
    let Some(node) = &from.node else { return };
    let Some(other) = to.node else {
        tell_moved(node, [(&from.parent, &from.last), (&to.parent, &to.last)], None);
        return;
    };
    // Two names of one file: nothing has happened.
    if other.identity() == node.identity() {
        return;
    }
    let places = [(&from.parent, &from.last), (&to.parent, &to.last)];
    if mode == RenameMode::Exchange {
        tell_moved(node, places, None);
        tell_moved(&other, [places[1], places[0]], None);
    } else {
        tell_moved(node, places, Some(&other));
        if other.kind() == Kind::Directory || other.metadata().links == 0 {
            WATCHES.part_with(other);
        }
    }
}

fn tell_moved(node: &Arc<dyn Node>, [from, to]: [(&Arc<dyn Node>, &Last); 2], replaced: Option<&Arc<dyn Node>>) {
    let cookie = WATCHES.next_cookie();
    tell_entry(from.0, from.1, node, MOVED_FROM, cookie);
    tell_entry(to.0, to.1, node, MOVED_TO, cookie);
    if let Some(replaced) = replaced {
        tell(replaced, None, ATTRIBUTES, false);
    }
    tell(node, None, MOVED_SELF, false);
}
