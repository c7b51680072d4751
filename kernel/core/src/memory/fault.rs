//! Explaining page faults.

use machine::{Access, Larger, MemoryRefused, PAGE_SIZE, Protection, Source, SpaceHandle, page_align_down};
use regions::{NoPage, Region};

use super::AddressSpace;

impl AddressSpace {
    /// Makes the page at `address` present for `access` if the book allows it; `false` if the program may not.
    /// When no memory is left the application ends.
    pub fn resolve(&self, address: usize, access: Access) -> bool {
        let page = page_align_down(address);
        let result = {
            let mut state = self.state.lock_in_line();
            let Some(mut region) = state.regions.first_behind(page) else { return false };
            if region.start > page {
                match self.grow_stack(&mut state, page) {
                    Some(grown) => region = grown,
                    None => return false,
                }
            }
            let protection = region.protection;
            if !allows(protection, access) {
                return false;
            }
            let source = match region.source {
                Source::File { shared } => {
                    self.note_shown();
                    file_page(region, page, shared, access)
                }
                _ => Ok(region.source_at(page)),
            };
            let source = match source {
                Ok(source) => source,
                Err(NoPage::Missing) => return false,
                Err(NoPage::OutOfMemory) => contracts::application::out_of_memory(),
            };
            let larger = region.larger_at(page);
            self.insist(&state, || {
                if is_both(protection) {
                    populate_one_of_both(&self.handle, page, access, protection, source)
                } else {
                    contracts::translations::populate(&self.handle, page, access, protection, source, larger)
                }
            })
        };
        match result {
            Ok(()) => true,
            Err(MemoryRefused::BadRange) => false,
            Err(MemoryRefused::OutOfMemory | MemoryRefused::NoSpace) => contracts::application::out_of_memory(),
        }
    }
}

/// Asks the region's file for the page at `page`.
#[inline(never)]
fn file_page(region: &Region, page: usize, shared: bool, access: Access) -> Result<Source, NoPage> {
    let Some(file) = &region.file else { return Err(NoPage::Missing) };
    let found = file.page(region.file_page(page), shared && access == Access::Write)?;
    // The file keeps the page until it has had us forget it, for which it waits for the book's lock.
    Ok(Source::Page { address: found.address(), shared })
}

pub(super) const fn allows(protection: Protection, access: Access) -> bool {
    match access {
        // On x86-64 what can be written or executed can be read.
        Access::Read => protection.read || protection.write || protection.execute,
        Access::Write => protection.write,
        Access::Execute => protection.execute,
    }
}

const fn is_both(protection: Protection) -> bool {
    protection.write && protection.execute
}

/// Gives a page that is both writable and executable the one of the two rights that `access` uses.
// Few pages are so, and each other fault would go through the choice.
#[cold]
#[inline(never)]
fn populate_one_of_both(
    space: &SpaceHandle,
    page: usize,
    access: Access,
    protection: Protection,
    source: Source,
) -> Result<(), MemoryRefused> {
    let granted = match access {
        Access::Execute => Protection { write: false, ..protection },
        _ => granted_first(protection),
    };
    // The page may be present with the other of the two rights. First that is taken back, because only populating gives
    // the right to store into a file's own page.
    contracts::translations::protect(space, page..page + PAGE_SIZE, granted)?;
    contracts::translations::populate(space, page, access, granted, source, Larger::No)
}

/// What pages get before anyone has touched them: write rather than execute.
pub(super) const fn granted_first(protection: Protection) -> Protection {
    Protection { execute: protection.execute && !protection.write, ..protection }
}
