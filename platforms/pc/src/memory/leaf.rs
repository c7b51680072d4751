//! The leaf that a page of the application gets.
//!
//! Leaves with [`OWNED`] own their frame; the others show a page of the boot archive, of a file or the vDSO in place,
//! read-only unless it is shared and has been written. A page whose access is taken away keeps its leaf without
//! [`Entry::PRESENT`].

use machine::{Access, PAGE_SIZE, PagerError, Protection, Source};
use paging::Entry;

use crate::layout::DIRECT_BASE;

use super::{
    Memory, direct,
    machine_memory::{copy_page, zeroed_frame},
};

/// The leaf's frame is given back with it.
pub const OWNED: u64 = Entry::AVAILABLE;

impl Memory {
    /// The leaf a page gets for an access of this kind, given what was there before.
    #[inline]
    pub fn leaf(
        &self,
        before: Entry,
        access: Access,
        protection: Protection,
        source: Source,
    ) -> Result<Entry, PagerError> {
        if before.has(OWNED) {
            return Ok(before.with_flags(self.flags(protection, true)));
        }
        match source {
            Source::Zero => {
                let frame = zeroed_frame().ok_or(PagerError::OutOfMemory)?;
                Ok(Entry::new(frame, self.flags(protection, true)))
            }
            Source::Archive { offset } => self.archive_leaf(access, protection, offset),
            Source::Platform { address } => self.file_leaf(access, protection, address, false),
            Source::Page { address, shared } => self.file_leaf(access, protection, address, shared),
            Source::File { .. } | Source::Direct { .. } => Err(PagerError::BadRange),
        }
    }

    fn archive_leaf(&self, access: Access, protection: Protection, offset: usize) -> Result<Entry, PagerError> {
        let (start, length) = self.archive;
        if !offset.is_multiple_of(PAGE_SIZE) || offset >= length {
            return Err(PagerError::BadRange);
        }
        self.shown(access, protection, start + offset)
    }

    /// A page in place, or a copy of it for a store.
    fn shown(&self, access: Access, protection: Protection, page: usize) -> Result<Entry, PagerError> {
        if access != Access::Write {
            return Ok(Entry::new(page, self.flags(protection, false)));
        }
        let frame = contracts::frames::allocate().ok_or(PagerError::OutOfMemory)? * PAGE_SIZE;
        // SAFETY: such pages are mapped, and not given out meanwhile: the archive's and the platform's never are, and the
        // memory manager has a file keep its page. The new frame is nobody else's.
        unsafe { copy_page(direct(page), direct(frame)) };
        Ok(Entry::new(frame, self.flags(protection, true)))
    }

    /// A leaf that shows a page of the kernel's, of a file as a rule, or a copy of it.
    #[inline(never)]
    fn file_leaf(
        &self,
        access: Access,
        protection: Protection,
        address: usize,
        shared: bool,
    ) -> Result<Entry, PagerError> {
        let place = address.checked_sub(DIRECT_BASE).ok_or(PagerError::BadRange)?;
        if shared && access == Access::Write {
            return Ok(Entry::new(place, self.flags(protection, false) | Entry::WRITABLE));
        }
        if shared {
            return Ok(Entry::new(place, self.flags(protection, false)));
        }
        self.shown(access, protection, place)
    }

    /// Flags of an application's leaf. A page shown in place is not writable, whatever its region allows.
    #[inline]
    pub fn flags(&self, protection: Protection, owned: bool) -> u64 {
        let when = |condition, flag| if condition { flag } else { 0 };
        let any = protection.read || protection.write || protection.execute;
        when(any, Entry::PRESENT | self.user_flag)
            | when(owned, OWNED)
            | when(owned && protection.write, Entry::WRITABLE)
            | when(!protection.execute, Entry::NO_EXECUTE)
    }
}
