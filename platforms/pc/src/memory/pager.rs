//! The pager: the application's half of the tables, filled as pages are touched.
//!
//! Leaves with [`Entry::AVAILABLE`] own their frame; the others show a page of the boot archive in place, read-only.
//! A page whose access is taken away keeps its leaf without [`Entry::PRESENT`].

use core::ops::Range;

use frames::Frames;
use machine::{Access, Audit, AuditError, MemoryUse, PAGE_SIZE, PageRange, PagerError, Protection, Source};
use paging::{Entry, Leaf, MapError, PageSize};
use x86_64::registers::{flush_page, flush_translations};

use super::{MEMORY, Memory, direct, machine_memory::copy_page, stacks};
use crate::layout::{DIRECT_BASE, USER, data_start, image_physical, text_start};

const OWNED: u64 = Entry::AVAILABLE;
/// From this many pages on, forgetting all translations is cheaper than forgetting each.
const FLUSH_ALL: usize = 16;

/// Provider of the contract `pager`.
#[derive(Debug, Default)]
pub struct Pager;

impl Pager {
    /// The instance.
    #[must_use]
    pub const fn new() -> Self {
        Self
    }
}

impl machine::Pager for Pager {
    fn user_range(&self) -> Range<usize> {
        USER
    }

    fn attach(&self, range: PageRange, protection: Protection, _: Source) -> Result<(), PagerError> {
        check(&range)?;
        refuse_both(protection)
    }

    fn populate(&self, page: usize, access: Access, protection: Protection, source: Source) -> Result<(), PagerError> {
        refuse_both(protection)?;
        check(&(page..page.saturating_add(PAGE_SIZE)))?;
        let mut was_there = false;
        MEMORY.lock().tables().update(page, PageSize::Small, |memory, before| {
            was_there = !before.is_empty();
            memory.leaf(before, access, protection, source).map_err(Refused)
        })?;
        if was_there {
            flush_page(page);
        }
        Ok(())
    }

    fn detach(&self, range: PageRange) {
        let mut flush = Flush::default();
        MEMORY.lock().tables().change(range, |memory, address, entry| {
            if entry.has(OWNED) {
                memory.free_frame(entry.address());
            }
            flush.add(address, entry);
            Entry::EMPTY
        });
        flush.finish();
    }

    fn protect(&self, range: PageRange, protection: Protection) -> Result<(), PagerError> {
        refuse_both(protection)?;
        check(&range)?;
        let mut flush = Flush::default();
        MEMORY.lock().tables().change(range, |memory, address, entry| {
            flush.add(address, entry);
            entry.with_flags(memory.flags(protection, entry.has(OWNED)))
        });
        flush.finish();
        Ok(())
    }

    fn discard(&self, range: PageRange, _: Protection, _: Source) -> Result<(), PagerError> {
        check(&range)?;
        self.detach(range);
        Ok(())
    }

    fn relocate(&self, from: PageRange, to: usize, _: Protection, _: Source) -> Result<(), PagerError> {
        check(&from)?;
        check(&(to..to.saturating_add(from.len())))?;
        let result = MEMORY.lock().tables().relocate(from, to);
        flush_translations();
        result.map_err(|_| PagerError::OutOfMemory)
    }

    fn allocate_kernel(&self, count: usize) -> Result<usize, PagerError> {
        let first = MEMORY.lock().zones.allocate_run(count).ok_or(PagerError::OutOfMemory)?;
        Ok(DIRECT_BASE + first * PAGE_SIZE)
    }

    fn free_kernel(&self, address: usize, count: usize) {
        let first = address.checked_sub(DIRECT_BASE).expect("a kernel page is in the direct map") / PAGE_SIZE;
        MEMORY.lock().zones.free_run(first, count).expect("these pages were allocated");
    }

    fn allocate_stack(&self) -> Result<usize, PagerError> {
        stacks::allocate()
    }

    fn free_stack(&self, top: usize) {
        stacks::free(top);
    }

    fn memory_use(&self) -> MemoryUse {
        let frames = MEMORY.lock().zones.statistics();
        MemoryUse { total: frames.total * PAGE_SIZE, free: frames.free * PAGE_SIZE }
    }

    fn audit(&self) -> Result<Audit, AuditError> {
        let kernel_text = image_physical(text_start())..image_physical(data_start());
        let mut result = Ok(Audit::default());
        MEMORY.lock().tables().inspect(&mut |leaf| {
            if let Ok(audit) = &mut result
                && let Err(error) = audit_leaf(audit, &leaf, &kernel_text)
            {
                result = Err(error);
            }
        });
        result
    }
}

impl Memory {
    /// The leaf a page gets for an access of this kind, given what was there before.
    fn leaf(
        &mut self,
        before: Entry,
        access: Access,
        protection: Protection,
        source: Source,
    ) -> Result<Entry, PagerError> {
        if before.has(OWNED) {
            return Ok(before.with_flags(self.flags(protection, true)));
        }
        let Source::Archive { offset } = source else {
            let frame = self.zeroed_frame().ok_or(PagerError::OutOfMemory)?;
            return Ok(Entry::new(frame, self.flags(protection, true)));
        };
        let (start, length) = self.archive;
        if !offset.is_multiple_of(PAGE_SIZE) || offset >= length {
            return Err(PagerError::BadRange);
        }
        if access != Access::Write {
            return Ok(Entry::new(start + offset, self.flags(protection, false)));
        }
        let frame = self.zones.allocate().ok_or(PagerError::OutOfMemory)? * PAGE_SIZE;
        // SAFETY: the archive's frames are mapped and never given out, and the new frame is nobody else's.
        unsafe { copy_page(direct(start + offset), direct(frame)) };
        Ok(Entry::new(frame, self.flags(protection, true)))
    }

    /// Flags of an application's leaf. A page shown in place is not writable, whatever its region allows.
    fn flags(&self, protection: Protection, owned: bool) -> u64 {
        let when = |condition, flag| if condition { flag } else { 0 };
        let any = protection.read || protection.write || protection.execute;
        when(any, Entry::PRESENT | self.user_flag)
            | when(owned, OWNED)
            | when(owned && protection.write, Entry::WRITABLE)
            | when(!protection.execute, Entry::NO_EXECUTE)
    }
}

/// Why a leaf could not be made, in the words of the contract.
struct Refused(PagerError);

impl From<MapError> for Refused {
    fn from(_: MapError) -> Self {
        Self(PagerError::OutOfMemory)
    }
}

impl From<Refused> for PagerError {
    fn from(Refused(error): Refused) -> Self {
        error
    }
}

fn audit_leaf(audit: &mut Audit, leaf: &Leaf, kernel_text: &Range<usize>) -> Result<(), AuditError> {
    let pages = leaf.size.bytes() / PAGE_SIZE;
    audit.pages += pages;
    audit.writable += if leaf.writable { pages } else { 0 };
    audit.executable += if leaf.executable { pages } else { 0 };
    let overlaps = leaf.physical < kernel_text.end && kernel_text.start < leaf.physical + leaf.size.bytes();
    if leaf.address == 0 {
        Err(AuditError::MappedAtZero)
    } else if leaf.writable && leaf.executable {
        Err(AuditError::WritableAndExecutable(leaf.address))
    } else if leaf.writable && overlaps {
        Err(AuditError::WritableKernelText(leaf.address))
    } else {
        Ok(())
    }
}

fn check(range: &PageRange) -> Result<(), PagerError> {
    let aligned = range.start.is_multiple_of(PAGE_SIZE) && range.end.is_multiple_of(PAGE_SIZE);
    let inside = range.start >= USER.start && range.end <= USER.end;
    if aligned && inside { Ok(()) } else { Err(PagerError::BadRange) }
}

fn refuse_both(protection: Protection) -> Result<(), PagerError> {
    if protection.write && protection.execute { Err(PagerError::BadRange) } else { Ok(()) }
}

/// Translations that the processor must forget once the tables have changed.
#[derive(Default)]
struct Flush {
    pages: [usize; FLUSH_ALL],
    count: usize,
}

impl Flush {
    /// Notes a page; one that was not present is not remembered by any processor.
    fn add(&mut self, page: usize, entry: Entry) {
        if entry.has(Entry::PRESENT) {
            if let Some(place) = self.pages.get_mut(self.count) {
                *place = page;
            }
            self.count += 1;
        }
    }

    fn finish(&self) {
        match self.pages.get(..self.count) {
            Some(pages) => pages.iter().for_each(|&page| flush_page(page)),
            None => flush_translations(),
        }
    }
}
