//! What can happen to a file, as inotify(7) numbers it.

use alloc::boxed::Box;

use vfs::Sink;

/// It was read, or listed.
pub const ACCESS: u32 = 1;
/// Its contents were changed.
pub const MODIFIED: u32 = 2;
/// What is known about it was changed.
pub const ATTRIBUTES: u32 = 4;
/// It was closed, having been open for writing.
pub const CLOSED_WRITTEN: u32 = 8;
/// It was closed, not having been open for writing.
pub const CLOSED_READ: u32 = 0x10;
/// It was opened.
pub const OPENED: u32 = 0x20;
/// An entry left the directory by being renamed.
pub const MOVED_FROM: u32 = 0x40;
/// An entry came into it by being renamed.
pub const MOVED_TO: u32 = 0x80;
/// An entry was made.
pub const CREATED: u32 = 0x100;
/// An entry was removed.
pub const DELETED: u32 = 0x200;
/// The node is gone.
pub const DELETED_SELF: u32 = 0x400;
/// It was renamed.
pub const MOVED_SELF: u32 = 0x800;
/// Everything that can be asked for.
pub const ALL: u32 = 0xfff;

/// Told unasked: events were lost.
pub const OVERFLOW: u32 = 0x4000;
/// Told unasked: the watch is no more.
pub const FORGOTTEN: u32 = 0x8000;
/// Told beside an event: it was a directory that it happened to.
pub const IS_DIRECTORY: u32 = 0x4000_0000;

/// Asked: only directories can be watched so.
pub const DIRECTORY: u32 = 0x100_0000;
/// Asked: not what happens by names that are gone.
pub const NOT_UNLINKED: u32 = 0x400_0000;
/// Asked: one event, then the watch goes.
pub const ONCE: u32 = 0x8000_0000;
/// What a watch remembers of what it was asked.
pub const ASKED: u32 = ALL | NOT_UNLINKED | ONCE;

/// An event that waits to be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The watch's number; -1 for [`OVERFLOW`].
    pub watch: i32,
    /// What happened.
    pub events: u32,
    /// Of a move.
    pub cookie: u32,
    /// The entry; empty for the node itself.
    pub name: Box<[u8]>,
}

/// Bytes of `struct inotify_event` before the name; names are filled up to a multiple of it.
const HEAD: usize = 16;

impl Event {
    /// Bytes that a read takes for it.
    #[must_use]
    pub fn size(&self) -> usize {
        HEAD + self.padded()
    }

    /// A name is ended by at least one NUL.
    fn padded(&self) -> usize {
        if self.name.is_empty() { 0 } else { (self.name.len() + 1).next_multiple_of(HEAD) }
    }

    /// Whether one is enough for both.
    pub(super) fn is_again(&self, other: &Self) -> bool {
        (self.watch, self.events, &self.name) == (other.watch, other.events, &other.name)
            && self.events & FORGOTTEN == 0
    }

    /// Writes `struct inotify_event`; the bytes that went.
    pub(super) fn put(&self, sink: &mut dyn Sink) -> usize {
        let padded = self.padded();
        let mut head = [0; HEAD];
        let words = [self.watch as u32, self.events, self.cookie, padded as u32];
        for (place, word) in head.chunks_exact_mut(4).zip(words) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        let count = sink.put(&head) + sink.put(&self.name);
        count + sink.put_zeros(padded - self.name.len())
    }
}
