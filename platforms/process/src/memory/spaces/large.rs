//! Large pages for the kernel, in spaces of which many copies are made.
//!
//! A copy of a process has each page of the kernel's that it touches by an entry of its page tables, which the host
//! copies and gives back one by one, and which the processor looks up and marks one by one: together a third of what a
//! short life costs. A large page of memory is one entry. The kernel's data is in a memory file, in which a large page
//! can take the place of small ones. The host does not copy the entry, and each copy finds it by one fault. It takes up
//! to 2 MB more of the host's memory, so a program that makes few processes has none.

use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use machine::PageRange;

use super::{
    Space,
    share::{parts, share_again},
    text,
};
use crate::{
    host::{HostError, memory},
    memory::{
        arena::{ARENA, LARGE},
        report,
    },
};

/// Copies of a space before it gets large pages.
const FEW: u32 = 8;

/// Where those end that the kernel's data has; 0 if it has none.
static END: AtomicUsize = AtomicUsize::new(0);

/// What was to be their end when that was tried last after the first time.
static TRIED: AtomicUsize = AtomicUsize::new(0);

/// The space where the processor is is about to be copied: it gets large pages if it has been copied often. The caller
/// is the only one who makes spaces now.
pub fn prepare(space: &Space) {
    if space.copies() < FEW {
        return;
    }
    // A host that has no large pages to give has all stay as it is.
    let (end, used) = (END.load(Relaxed), used().end);
    if space.copies() == FEW {
        let _ = text::move_all();
        let _ = have_data();
    } else if end != 0 && end < used && TRIED.swap(used, Relaxed) != used {
        // The kernel's data has grown.
        let _ = make(end..used);
    }
}

/// Whether these pages are parts of large ones.
pub fn are_large(range: &PageRange) -> bool {
    parts()[2].start <= range.start && range.end <= END.load(Relaxed)
}

/// What the kernel uses of what may be in large pages, in whole ones.
fn used() -> PageRange {
    let [_, _, near] = parts();
    let [_, _, used] = ARENA.lock().used();
    used.start..used.end.next_multiple_of(LARGE).min(near.end / LARGE * LARGE)
}

/// Has the kernel's data in large pages, in the space where the processor is.
#[cold]
fn have_data() -> Result<(), HostError> {
    let [_, _, near] = parts();
    make(used())?;
    // Now that there is little to fault in, no tables of it are to be copied: a new mapping has forgotten that they
    // were. What is touched meanwhile waits for the host.
    // SAFETY: it shows the same part of the file.
    unsafe { share_again(&near) }
}

/// Lets large pages take the place of small ones.
#[cold]
fn make(range: PageRange) -> Result<(), HostError> {
    if range.is_empty() || !range.start.is_multiple_of(LARGE) || !report::has_room(range.len()) {
        return Err(HostError::NO_MEMORY);
    }
    memory::make_large(&range)?;
    END.fetch_max(range.end, Relaxed);
    Ok(())
}
