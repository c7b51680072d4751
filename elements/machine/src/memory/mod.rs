//! Memory as a platform offers it: translations of address spaces, pages for the kernel, reports of both, and copies
//! across the border between the two.

mod kernel_memory;
mod report;
mod translations;
mod user_memory;

use core::ops::Range;

pub use kernel_memory::KernelMemory;
pub use report::{Audit, AuditError, MemoryReport, MemoryUse};
pub use translations::{SpaceHandle, Translations};
pub use user_memory::{Fault, UserMemory};

/// Bytes of a page. The same on every platform whittle runs on today.
pub const PAGE_SIZE: usize = 4096;

/// Bytes of the larger page that machines of today have beside the small one.
pub const LARGE_PAGE_SIZE: usize = 2 << 20;

/// Rounds an address or length down to a page boundary.
pub const fn page_align_down(value: usize) -> usize {
    value & !(PAGE_SIZE - 1)
}

/// Rounds an address or length up to a page boundary; `None` on overflow.
pub const fn page_align_up(value: usize) -> Option<usize> {
    match value.checked_add(PAGE_SIZE - 1) {
        Some(sum) => Some(page_align_down(sum)),
        None => None,
    }
}

/// Page-aligned addresses, half open.
pub type PageRange = Range<usize>;

/// What the application may do with a page. Write and execute together are refused by [`Translations`]: W^X is kept
/// everywhere, so a program that asks for both gets write until it asks for execute.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Protection {
    /// Loads.
    pub read: bool,
    /// Stores.
    pub write: bool,
    /// Instruction fetches.
    pub execute: bool,
}

/// Where a page's first contents come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Zeros.
    Zero,
    /// The boot archive, from this page-aligned byte offset on (of the first page of the range). Private: a store
    /// copies the page first.
    Archive {
        /// Byte offset in the archive, a multiple of [`PAGE_SIZE`].
        offset: usize,
    },
    /// One page of the platform's own ([`machine::Clock::program_page`]). Private, as the archive's.
    Platform {
        /// Its address in the kernel.
        address: usize,
    },
    /// The pages of a file. The memory manager asks the file for each when it is touched, and hands it to
    /// [`Translations::populate`] as [`Source::Page`]; until then nothing is there.
    File {
        /// Whether stores are the file's (MAP_SHARED).
        shared: bool,
    },
    /// This page of the kernel's, for [`Translations::populate`] alone; it stays its owner's.
    Page {
        /// Its address: what [`KernelMemory::allocate_page`] gave.
        address: usize,
        /// Whether stores go to it; else a store copies it first.
        shared: bool,
    },
    /// A file that the machine underneath maps and keeps true by itself, from this offset on.
    Direct {
        /// What it knows the file by.
        handle: u32,
        /// Byte offset in the file, a multiple of [`PAGE_SIZE`].
        offset: u64,
        /// Whether stores are the file's (MAP_SHARED).
        shared: bool,
    },
}

impl Source {
    /// The source of the page `bytes` further on.
    #[must_use]
    pub const fn advance(self, bytes: usize) -> Self {
        match self {
            Self::Zero | Self::Platform { .. } | Self::File { .. } => self,
            Self::Archive { offset } => Self::Archive { offset: offset + bytes },
            Self::Page { address, shared } => Self::Page { address: address + bytes, shared },
            Self::Direct { handle, offset, shared } => Self::Direct { handle, offset: offset + bytes as u64, shared },
        }
    }

    /// Whether stores are seen by others.
    #[must_use]
    pub const fn is_shared(self) -> bool {
        match self {
            Self::Zero | Self::Archive { .. } | Self::Platform { .. } => false,
            Self::File { shared } | Self::Page { shared, .. } | Self::Direct { shared, .. } => shared,
        }
    }
}

/// Whether a page may be made part of a larger one ([`LARGE_PAGE_SIZE`]), whose other bytes belong to the same region.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Larger {
    /// No: the region does not fill one there, or the program does not want it (MADV_NOHUGEPAGE).
    #[default]
    No,
    /// If there is plenty of memory.
    IfPlenty,
    /// The program wishes it (MADV_HUGEPAGE).
    Wished,
}

/// Why a platform refused memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryRefused {
    /// No page frame is left, or the host gives no more.
    OutOfMemory,
    /// The range is not one an application may have.
    BadRange,
    /// This machine has no room for one more address space.
    NoSpace,
}
