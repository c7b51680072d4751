//! The leaf that a page of the application gets.
//!
//! Leaves with [`OWNED`] own their frame; the others show a page of the boot archive, of a file or the vDSO in place,
//! read-only unless it is shared and has been written. A page whose access is taken away keeps its leaf without
//! [`Entry::PRESENT`].

use core::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

use machine::{Access, MemoryRefused, PAGE_SIZE, Protection, Source};
use paging::Entry;

use crate::layout::DIRECT_BASE;

use super::{
    direct,
    shared::{SHARED, own, shared},
    space::several,
    tables::{copy_page, zeroed_frame},
};

/// The leaf's frame is given back with it.
pub const OWNED: u64 = Entry::AVAILABLE;

/// Physical address and bytes of the boot archive.
static ARCHIVE: [AtomicUsize; 2] = [const { AtomicUsize::new(0) }; 2];

/// What every leaf of the application has: [`Entry::USER`] when it runs at ring 3.
static USER_FLAG: AtomicU64 = AtomicU64::new(0);

/// Boot has found the archive.
pub fn set_archive((start, length): (usize, usize)) {
    ARCHIVE[0].store(start, Relaxed);
    ARCHIVE[1].store(length, Relaxed);
}

/// The application runs at ring 3. Nothing of it is mapped yet.
pub fn set_user() {
    USER_FLAG.store(Entry::USER, Relaxed);
}

/// The leaf a page gets for an access of this kind, given what was there before.
#[inline]
pub fn leaf(before: Entry, access: Access, protection: Protection, source: Source) -> Result<Entry, MemoryRefused> {
    if before.has(OWNED) {
        let is_shared = several() && before.has(SHARED);
        let before = if is_shared && access == Access::Write { own(before)? } else { before };
        return Ok(before.with_flags(kept_flags(before, protection)));
    }
    match source {
        Source::Zero => {
            let frame = zeroed_frame().ok_or(MemoryRefused::OutOfMemory)?;
            Ok(Entry::new(frame, flags(protection, true)))
        }
        Source::Archive { offset } => archive_leaf(access, protection, offset),
        Source::Platform { address } => file_leaf(access, protection, address, false),
        Source::Page { address, shared } => file_leaf(access, protection, address, shared),
        Source::File { .. } | Source::Direct { .. } => Err(MemoryRefused::BadRange),
    }
}

fn archive_leaf(access: Access, protection: Protection, offset: usize) -> Result<Entry, MemoryRefused> {
    let [start, length] = ARCHIVE.each_ref().map(|word| word.load(Relaxed));
    if !offset.is_multiple_of(PAGE_SIZE) || offset >= length {
        return Err(MemoryRefused::BadRange);
    }
    shown(access, protection, start + offset)
}

/// A page in place, or a copy of it for a store.
fn shown(access: Access, protection: Protection, page: usize) -> Result<Entry, MemoryRefused> {
    if access != Access::Write {
        return Ok(Entry::new(page, flags(protection, false)));
    }
    let frame = contracts::frames::allocate().ok_or(MemoryRefused::OutOfMemory)? * PAGE_SIZE;
    // SAFETY: such pages are mapped, and not given out meanwhile: the archive's and the platform's never are, and the
    // memory manager has a file keep its page. The new frame is nobody else's.
    unsafe { copy_page(direct(page), direct(frame)) };
    Ok(Entry::new(frame, flags(protection, true)))
}

/// A leaf that shows a page of the kernel's, of a file as a rule, or a copy of it.
#[inline(never)]
fn file_leaf(access: Access, protection: Protection, address: usize, shared: bool) -> Result<Entry, MemoryRefused> {
    let place = address.checked_sub(DIRECT_BASE).ok_or(MemoryRefused::BadRange)?;
    if shared && access == Access::Write {
        return Ok(Entry::new(place, flags(protection, false) | Entry::WRITABLE));
    }
    if shared {
        return Ok(Entry::new(place, flags(protection, false)));
    }
    shown(access, protection, place)
}

/// Flags of a leaf that stays where it is, with other rights: one that others have too is writable for nobody.
#[inline(always)]
pub fn kept_flags(before: Entry, protection: Protection) -> u64 {
    let flags = flags(protection, before.has(OWNED));
    if several() && before.has(SHARED) { shared(Entry(flags)).0 } else { flags }
}

/// Flags of an application's leaf. A page shown in place is not writable, whatever its region allows.
#[inline]
pub fn flags(protection: Protection, owned: bool) -> u64 {
    let when = |condition, flag| if condition { flag } else { 0 };
    let any = protection.read || protection.write || protection.execute;
    when(any, Entry::PRESENT | USER_FLAG.load(Relaxed))
        | when(owned, OWNED)
        | when(owned && protection.write, Entry::WRITABLE)
        | when(!protection.execute, Entry::NO_EXECUTE)
}
