//! Memory as a platform offers it: regions of the application's half of the address space, pages for the kernel,
//! and copies across the border between the two.

use core::ops::Range;

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

/// What the application may do with a page. Write and execute together are refused by [`Pager`]: W^X is kept
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

/// The access that faulted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// A load.
    Read,
    /// A store.
    Write,
    /// An instruction fetch.
    Execute,
}

impl Access {
    /// Whether an instruction at `instruction` stores to the page that it lies in, at `address`: no page is writable
    /// while it is executable, so it can never be done.
    #[must_use]
    pub const fn changes_own_page(self, address: usize, instruction: usize) -> bool {
        matches!(self, Self::Write) && address / PAGE_SIZE == instruction / PAGE_SIZE
    }
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
    /// One page of the platform's own ([`crate::Clock::program_page`]). Private, as the archive's.
    Platform {
        /// Its address in the kernel.
        address: usize,
    },
    /// The pages of a file. The memory manager asks the file for each when it is touched, and hands it to
    /// [`Pager::populate`] as [`Source::Page`]; until then nothing is there.
    File {
        /// Whether stores are the file's (MAP_SHARED).
        shared: bool,
    },
    /// This page of the kernel's, for [`Pager::populate`] alone; it stays its owner's.
    Page {
        /// Its address: what [`Pager::allocate_page`] gave.
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

/// Why a pager refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PagerError {
    /// No page frame is left, or the host gives no more.
    OutOfMemory,
    /// The range is not one an application may have.
    BadRange,
}

/// How much memory there is, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MemoryUse {
    /// All memory of the machine that the kernel manages.
    pub total: usize,
    /// Of that, unused now.
    pub free: usize,
}

/// What [`Pager::audit`] found in the tables that the machine really uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Audit {
    /// Pages (of 4 KB) that are mapped, application's and kernel's.
    pub pages: usize,
    /// Of them, writable ones.
    pub writable: usize,
    /// Of them, executable ones.
    pub executable: usize,
}

/// A rule of the address space that does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AuditError {
    /// A page both writable and executable, at this address.
    WritableAndExecutable(usize),
    /// Kernel text that is writable, under any of its addresses.
    WritableKernelText(usize),
    /// Something mapped at address zero.
    MappedAtZero,
}

/// The application's half of the address space, and pages for the kernel.
///
/// The kernel's memory manager keeps the regions; the pager makes them real. A demand-paging pager does nothing in
/// [`Pager::attach`] and fills a page when [`Pager::populate`] is called after a fault. A pager over a host maps the
/// whole region in `attach`. Callers do both, so neither needs to know which it is.
///
/// All calls are for the address space that is active on this processor. Processors may make them at the same time; those
/// for one range come one after the other, because the memory manager holds its book's lock across each. A page that
/// another processor has just populated is no error. When a call returns, no processor reaches what was taken away.
pub trait Pager: Sync {
    /// The addresses an application may use, half open.
    fn user_range(&self) -> Range<usize>;

    /// A new region. Nothing is mapped there.
    fn attach(&self, range: PageRange, protection: Protection, source: Source) -> Result<(), PagerError>;

    /// Makes one page of an attached region present after a fault of kind `access`, which `protection` allows.
    /// A private copy is made when `access` is a write and the page came from a source that is not to be written. A
    /// shared page of a file can be written from the first write on, not before: the file is to know.
    /// With `larger`, all of the larger page around it may become present.
    fn populate(
        &self,
        page: usize,
        access: Access,
        protection: Protection,
        source: Source,
        larger: Larger,
    ) -> Result<(), PagerError>;

    /// Ends a region or a part of one; its pages are given back.
    fn detach(&self, range: PageRange);

    /// Takes the pages of a file in attached regions away, so that the next access asks for them again. Private copies
    /// stay where the pager can tell them from the file's.
    fn forget(&self, range: PageRange);

    /// Whether each page of a file that is shown takes more than memory, of which there is little (a host's mappings):
    /// then [`Pager::hide`] gives it back.
    fn shows_apart(&self) -> bool {
        false
    }

    /// Takes pages of a file in an attached region away that nobody has copied; the next access asks for them again.
    /// `shared`: the region shows the file itself, so there are no copies.
    fn hide(&self, range: PageRange, shared: bool) {
        let _ = (range, shared);
    }

    /// Changes what may be done with present and future pages of attached regions.
    fn protect(&self, range: PageRange, protection: Protection) -> Result<(), PagerError>;

    /// Throws the contents of `range` away: the next access finds the region's `source` again (MADV_DONTNEED).
    fn discard(&self, range: PageRange, protection: Protection, source: Source) -> Result<(), PagerError>;

    /// Whether a page that was thrown away comes back as its region says only when it is touched: then neighbours of
    /// several regions may be thrown away at once, with the protection and source of any.
    fn forgets_alike(&self) -> bool {
        false
    }

    /// Moves the present pages of `from` to `to` (same length, attached by the caller with the same protection and
    /// source), without copying bytes (mremap).
    fn relocate(&self, from: PageRange, to: usize, protection: Protection, source: Source) -> Result<(), PagerError>;

    /// Makes all pages of an attached range present at once, which its protection allows; `false` if this pager has no
    /// better way than [`Pager::populate`] for each, or could not.
    fn populate_all(&self, range: PageRange, access: Access) -> bool;

    /// Notes whether larger pages are wanted in `range`, for pagers that ask nobody later.
    fn prefer(&self, range: PageRange, larger: Larger);

    /// Whether this page of the application is in memory now, so that a load would not fault.
    fn is_resident(&self, page: usize) -> bool;

    /// `count` pages for the kernel, contiguous in its addresses, contents unspecified (zeroing them would cost every
    /// boot 512 stores a page); returns the first address.
    fn allocate_kernel(&self, count: usize) -> Result<usize, PagerError>;

    /// Gives pages of [`Pager::allocate_kernel`] back.
    ///
    /// The caller promises that nothing refers to them any more; a pager that finds the range not to be its own
    /// panics.
    fn free_kernel(&self, address: usize, count: usize);

    /// A page for the contents of a file: it can be shown to programs ([`Source::Page`]). Its address in the kernel; its
    /// contents are unspecified.
    fn allocate_page(&self) -> Result<usize, PagerError>;

    /// Takes a page of [`Pager::allocate_page`] back, which nobody uses or is shown any more.
    fn free_page(&self, address: usize);

    /// A kernel stack for one more thread, above a page that faults; its top.
    fn allocate_stack(&self) -> Result<usize, PagerError>;

    /// Takes a stack back that nobody runs on.
    fn free_stack(&self, top: usize);

    /// How much memory is in use.
    fn memory_use(&self) -> MemoryUse;

    /// Walks the live tables and checks the rules of [`AuditError`].
    fn audit(&self) -> Result<Audit, AuditError>;
}

/// An application address that cannot be read or written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The first address of the copy that failed.
    pub address: usize,
}

/// Copies across the border. A page that is not present is brought in on the way; an address outside the
/// application's half, or in no region, is a [`Fault`], never a crash. Callers hold no lock that resolving a fault
/// needs (the address space's).
pub trait UserMemory: Sync {
    /// Copies `destination.len()` bytes from the application at `source`.
    fn copy_in(&self, destination: &mut [u8], source: usize) -> Result<(), Fault>;

    /// Copies `source` to the application at `destination`.
    fn copy_out(&self, destination: usize, source: &[u8]) -> Result<(), Fault>;

    /// The word at `address`, of any alignment, by one access: most of what system calls copy is one.
    fn read_word(&self, address: usize) -> Result<u64, Fault>;

    /// The same of half a word.
    fn read_half(&self, address: usize) -> Result<u32, Fault>;

    /// Puts a word at `address`, by one access.
    fn write_word(&self, address: usize, value: u64) -> Result<(), Fault>;

    /// The same with half a word.
    fn write_half(&self, address: usize, value: u32) -> Result<(), Fault>;

    /// Writes `new` to the word at `address` (a multiple of four) if `expected` is there, in one step that other
    /// processors see whole; what was there.
    fn compare_exchange(&self, address: usize, expected: u32, new: u32) -> Result<u32, Fault>;

    /// Writes `length` zero bytes at `destination`.
    fn zero(&self, destination: usize, length: usize) -> Result<(), Fault>;

    /// Copies a string from the application up to its NUL, which is not copied; `Ok(None)` when `destination` is
    /// full before a NUL came.
    fn copy_string(&self, destination: &mut [u8], source: usize) -> Result<Option<usize>, Fault>;

    /// Shows `fill` the `length` bytes at `address` as places where the kernel reaches them, one behind the other, so
    /// that a device can fill them. `false`, and `fill` is not called, where that cannot be: some of them cannot be
    /// stored to, are not the application's alone, or another processor may change them meanwhile.
    fn lend(&self, address: usize, length: usize, fill: &mut dyn FnMut(&mut [&mut [u8]])) -> bool;
}
