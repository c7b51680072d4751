//! What a page of a space is: a frame of its own, or somebody else's page that is shown.

use std::{
    alloc::{Layout, alloc_zeroed, dealloc},
    ptr,
    sync::atomic::{AtomicUsize, Ordering::SeqCst},
};

use machine::{Access, MemoryRefused, PAGE_SIZE, Protection, Source};

use crate::archived;

/// Frames that spaces have for themselves.
static FRAMES: AtomicUsize = AtomicUsize::new(0);
/// Most that there may be.
static MOST: AtomicUsize = AtomicUsize::new(usize::MAX);

/// How many frames spaces have for themselves.
#[must_use]
pub fn frames_in_use() -> usize {
    FRAMES.load(SeqCst)
}

/// Runs `work` where no more than `more` frames are left.
pub fn with_few_frames<R>(more: usize, work: impl FnOnce() -> R) -> R {
    MOST.store(frames_in_use() + more, SeqCst);
    let result = work();
    MOST.store(usize::MAX, SeqCst);
    result
}

pub(crate) const PAGE: Layout = match Layout::from_size_align(PAGE_SIZE, PAGE_SIZE) {
    Ok(layout) => layout,
    Err(_) => panic!("a page has a layout"),
};

/// A present page.
#[derive(Debug, PartialEq, Eq)]
pub struct Leaf {
    /// Address of its frame in the host's memory.
    pub frame: usize,
    owned: bool,
    /// What may be done with it now.
    pub protection: Protection,
}

impl Leaf {
    /// A frame of its own, of zeros.
    fn own(protection: Protection) -> Result<Self, MemoryRefused> {
        if FRAMES.load(SeqCst) >= MOST.load(SeqCst) {
            return Err(MemoryRefused::OutOfMemory);
        }
        FRAMES.fetch_add(1, SeqCst);
        // SAFETY: the layout has a size.
        let frame = unsafe { alloc_zeroed(PAGE) } as usize;
        Ok(Self { frame, owned: true, protection: keep_apart(protection) })
    }

    fn shown(frame: usize, protection: Protection) -> Self {
        Self { frame, owned: false, protection: keep_apart(protection) }
    }

    fn copy_of(frame: usize, protection: Protection) -> Result<Self, MemoryRefused> {
        let copy = Self::own(protection)?;
        // SAFETY: a page that its owner keeps while it is shown, and a new one.
        unsafe { ptr::copy_nonoverlapping(frame as *const u8, copy.frame as *mut u8, PAGE_SIZE) };
        Ok(copy)
    }

    /// A copy for another space; what is only shown is none.
    pub(super) fn copied(&self) -> Result<Option<Self>, MemoryRefused> {
        if self.owned { Self::copy_of(self.frame, self.protection).map(Some) } else { Ok(None) }
    }

    /// Whether its frame belongs to the space.
    #[must_use]
    pub const fn is_owned(&self) -> bool {
        self.owned
    }

    /// Another protection; what is shown is not written before a fault has told its file.
    pub(super) fn protect(&mut self, protection: Protection) {
        self.protection = keep_apart(Protection { write: protection.write && self.owned, ..protection });
    }

    /// Whether it permits the access.
    #[must_use]
    pub const fn allows(&self, access: Access) -> bool {
        match access {
            Access::Read => self.protection.read || self.protection.write || self.protection.execute,
            Access::Write => self.protection.write,
            Access::Execute => self.protection.execute,
        }
    }
}

fn keep_apart(protection: Protection) -> Protection {
    assert!(!(protection.write && protection.execute), "a page is never both writable and executable");
    protection
}

impl Drop for Leaf {
    fn drop(&mut self) {
        if self.owned {
            FRAMES.fetch_sub(1, SeqCst);
            // SAFETY: `own` allocated it, and it goes with its leaf.
            unsafe { dealloc(self.frame as *mut u8, PAGE) };
        }
    }
}

/// The leaf that a page has after a fault of this kind, as [`machine::Translations::populate`] says.
pub(super) fn populated(
    before: Option<Leaf>,
    access: Access,
    protection: Protection,
    source: Source,
) -> Result<Leaf, MemoryRefused> {
    if let Some(mut leaf) = before.filter(Leaf::is_owned) {
        leaf.protection = keep_apart(protection);
        return Ok(leaf);
    }
    let unwritten = Protection { write: false, ..protection };
    match source {
        Source::Zero => Leaf::own(protection),
        Source::Page { address, shared: true } if access == Access::Write => Ok(Leaf::shown(address, protection)),
        Source::Page { address, shared: false } if access == Access::Write => Leaf::copy_of(address, protection),
        Source::Page { address, .. } => Ok(Leaf::shown(address, unwritten)),
        Source::Archive { offset } if access == Access::Write => Leaf::copy_of(archived::page(offset), protection),
        Source::Archive { offset } => Ok(Leaf::shown(archived::page(offset), unwritten)),
        // This machine has no files of its own.
        _ => Err(MemoryRefused::BadRange),
    }
}
