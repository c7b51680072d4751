//! The application's half of the addresses: what each address space has there.

use crate::Access;

use super::{Larger, MemoryRefused, PageRange, Protection, Source};

/// A platform's name for the translations of one address space, which the memory manager's address space owns.
/// [`Translations::make`] gives it, and [`Translations::give_up`] takes it back: it cannot be copied.
#[derive(Debug, PartialEq, Eq)]
pub struct SpaceHandle(usize);

impl SpaceHandle {
    /// The handle for this word, which only means something to the platform. Nobody else makes one: a platform believes
    /// the word.
    #[must_use]
    pub const fn from_word(word: usize) -> Self {
        Self(word)
    }

    /// What it was made from.
    #[must_use]
    #[inline(always)]
    pub const fn word(&self) -> usize {
        self.0
    }
}

declaration::contract! {
    translations = "address spaces: what each has at which address, and which one is active";

    /// What is at which address, for each address space.
    ///
    /// The kernel's memory manager keeps the regions; the platform makes them real. One that pages on demand does
    /// nothing in [`Translations::attach`] and fills a page when [`Translations::populate`] is called after a fault.
    /// One over a host maps the whole region in `attach`. Callers do both, so neither needs to know which it is.
    ///
    /// Each call says which space it is for, whether that is active on this processor or not. Processors may make them
    /// at the same time; those for one range of one space come one after the other, because the memory manager holds
    /// its book's lock across each. A page that another processor has just populated is no error. When a call returns,
    /// no processor reaches what was taken away.
    pub trait Translations: Sync {
        /// The addresses an application may use, half open.
        fn user_range(&self) -> PageRange;

        /// Whether there can be more than one address space.
        fn several(&self) -> bool {
            false
        }

        /// A new address space, in which nothing is mapped. The first one of a machine takes no memory.
        fn make(&self) -> Result<SpaceHandle, MemoryRefused>;

        /// Ends an address space: everything in it is given back. No processor runs a thread of it any more, but for
        /// one that has ended and is about to leave ([`Translations::ends_in_place`]); it may still be the active one
        /// of some.
        fn give_up(&self, space: SpaceHandle);

        /// Whether a space is given up with less work by the processor that is in it, before it leaves for another one.
        fn ends_in_place(&self) -> bool {
            false
        }

        /// Whether a copy of a space has all that the space has, or else only what [`Translations::attach`] and
        /// [`Translations::duplicate`] give it, piece by piece.
        fn copies_whole(&self) -> bool {
            false
        }

        /// A copy of the address space `from`, where copies are whole: what is mapped there is mapped in it alike, what
        /// is private is copied, and nothing more is to be attached or duplicated.
        fn make_copy(&self, from: &SpaceHandle) -> Result<SpaceHandle, MemoryRefused> {
            let _ = from;
            Err(MemoryRefused::NoSpace)
        }

        /// Makes `space` the one that this processor translates by. It lives at least until another one is made active
        /// here, or it is given up.
        fn activate(&self, space: &SpaceHandle);

        /// Gives `to` copies of the pages that `from` has for itself in `range`, which is attached alike in both, and
        /// of which `to` has none yet. Not called where copies are whole. What shows a file stays away, until it is
        /// touched. The memory manager holds the locks of both books.
        fn duplicate(&self, from: &SpaceHandle, to: &SpaceHandle, range: PageRange) -> Result<(), MemoryRefused>;

        /// A new region. Nothing is mapped there.
        fn attach(
            &self,
            space: &SpaceHandle,
            range: PageRange,
            protection: Protection,
            source: Source,
        ) -> Result<(), MemoryRefused>;

        /// Makes one page of an attached region present after a fault of kind `access`, which `protection` allows.
        /// A private copy is made when `access` is a write and the page came from a source that is not to be written. A
        /// shared page of a file can be written from the first write on, not before: the file is to know.
        /// With `larger`, all of the larger page around it may become present.
        fn populate(
            &self,
            space: &SpaceHandle,
            page: usize,
            access: Access,
            protection: Protection,
            source: Source,
            larger: Larger,
        ) -> Result<(), MemoryRefused>;

        /// Shows several pages of a file at once to one who reads or executes: those that lie one behind the other from
        /// `source`, a [`Source::Page`], on. `false`, and nothing is done, where a page of `range` is shown already, or
        /// where the machine has no better way than [`Translations::populate`] for each. Asked only where
        /// [`Translations::shows_apart`] is true.
        fn populate_run(&self, space: &SpaceHandle, range: PageRange, protection: Protection, source: Source) -> bool {
            let _ = (space, range, protection, source);
            false
        }

        /// Ends a region or a part of one; its pages are given back.
        fn detach(&self, space: &SpaceHandle, range: PageRange);

        /// Takes the pages of a file in attached regions away, so that the next access asks for them again. Private
        /// copies stay where it can tell them from the file's.
        fn forget(&self, space: &SpaceHandle, range: PageRange);

        /// Whether each page of a file that is shown takes more than memory, of which there is little (a host's
        /// mappings): then [`Translations::hide`] gives it back.
        fn shows_apart(&self) -> bool {
            false
        }

        /// Takes pages of a file in an attached region away that nobody has copied; the next access asks for them
        /// again.
        /// `shared`: the region shows the file itself, so there are no copies.
        fn hide(&self, space: &SpaceHandle, range: PageRange, shared: bool) {
            let _ = (space, range, shared);
        }

        /// The application has taken what was right below `page` away, and may map there again and again. Where the
        /// machine makes tables anew each time, something may lie at `page` that takes no memory and has them stay, if
        /// `is_free` says that the page is nobody's. All else goes on as if it were not there.
        fn keep_tables(&self, space: &SpaceHandle, page: usize, is_free: &dyn Fn() -> bool) {
            let _ = (space, page, is_free);
        }

        /// Changes what may be done with present and future pages of attached regions.
        fn protect(&self, space: &SpaceHandle, range: PageRange, protection: Protection) -> Result<(), MemoryRefused>;

        /// Throws the contents of `range` away: the next access finds the region's `source` again (MADV_DONTNEED).
        fn discard(
            &self,
            space: &SpaceHandle,
            range: PageRange,
            protection: Protection,
            source: Source,
        ) -> Result<(), MemoryRefused>;

        /// Whether a page that was thrown away comes back as its region says only when it is touched: then neighbours
        /// of several regions may be thrown away at once, with the protection and source of any.
        fn forgets_alike(&self) -> bool {
            false
        }

        /// Moves the present pages of `from` to `to` (same length, attached by the caller with the same protection and
        /// source), without copying bytes (mremap).
        fn relocate(
            &self,
            space: &SpaceHandle,
            from: PageRange,
            to: usize,
            protection: Protection,
            source: Source,
        ) -> Result<(), MemoryRefused>;

        /// Makes all pages of an attached range present at once, which its protection allows; `false` if there is no
        /// better way than [`Translations::populate`] for each, or could not.
        fn populate_all(&self, space: &SpaceHandle, range: PageRange, access: Access) -> bool;

        /// Notes whether larger pages are wanted in `range`, for platforms that ask nobody later.
        fn prefer(&self, space: &SpaceHandle, range: PageRange, larger: Larger);

        /// Reads what is in attached regions into `bytes`, if all of it is there and the machine has a way that cannot
        /// fault.
        fn read(&self, space: &SpaceHandle, address: usize, bytes: &mut [u8]) -> Result<(), MemoryRefused> {
            let _ = (space, address, bytes);
            Err(MemoryRefused::BadRange)
        }

        /// Writes instructions into an attached region that is not shared and need not be writable, in private copies
        /// of its pages. No page becomes both writable and executable for it. Stores of one byte are seen as a whole;
        /// what other processors have fetched before, only [`machine::Processor::synchronize`] has them forget.
        fn write_code(&self, space: &SpaceHandle, address: usize, bytes: &[u8]) -> Result<(), MemoryRefused> {
            let _ = (space, address, bytes);
            Err(MemoryRefused::BadRange)
        }

        /// Whether this page of the application is in memory now, so that a load would not fault.
        fn is_resident(&self, space: &SpaceHandle, page: usize) -> bool;

        /// Bytes of the application's that are in memory now; the machine may leave out those of files.
        fn resident(&self, space: &SpaceHandle) -> usize;
    }
}
