//! Contents of files that live elsewhere (on a host, on a disk), as pages in memory: one copy for read(2), write(2) and
//! mmap(2).
//!
//! [`Contents`] is one file's. It reads ahead, twice as far each time while a file is read in order. A write goes to
//! the [`Backing`] before it returns, and then into the pages that are here. Pages that programs store into by shared
//! mappings go back by [`Contents::flush`]. A [`Pool`] is what all files of a machine share: memory, and who lets go of
//! pages when it gets scarce.
//!
//! # Locks
//! Three, in this order: `writing` (all that changes the backing; it is held over input and output, so who finds it
//! held sleeps), a page's own (while bytes are copied), `state` (the table). The last two are spin locks, and nobody
//! holds them while the backing is asked: pages that are being filled are noted in the table (`fill.rs`), and what
//! changes the file meanwhile has them read again. [`FilePages::page`], which a page fault calls, takes only `state`,
//! and waits for nobody where it may not sleep. So a program's memory may fault while a page's lock is held: whoever
//! copies to it or from it holds neither of the other two. [`Mappings::forget`] is called with `writing` held at most.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod ahead;
mod backing;
mod contents;
mod evict;
mod fill;
mod filling;
mod flush;
mod pool;
mod straight;
mod table;
#[cfg(test)]
mod tests;
mod write;

pub use backing::Backing;
pub use contents::{Contents, Stamp};
pub use pool::{Pool, Room};

/// Most pages that are read at once: 496 KB, what one request of a host file system brings.
pub const MOST_AHEAD: u64 = 124;

/// Pages first read of a file that is read from its start.
const FIRST_AHEAD: u64 = 8;

/// Pages read around one that a mapping touched: 128 KB, as Linux does. A program's pages are touched in no order.
const AROUND: u64 = 32;

/// Bytes of a page.
const PAGE: u64 = pages::SIZE as u64;
