//! Explaining page faults.

use machine::{Access, Larger, MemoryRefused, PAGE_SIZE, Protection, Source, SpaceHandle, page_align_down};
use regions::{NoPage, Region};

use super::AddressSpace;

impl AddressSpace {
    /// Makes the page at `address` present for `access` if the book allows it; `false` if the program may not.
    /// When no memory is left, the application is asked who ends, and this one tries again.
    pub fn resolve(&self, address: usize, access: Access) -> bool {
        let page = page_align_down(address);
        let mut asked = 0;
        loop {
            match self.attempt(page, access) {
                Attempt::Resolved => return true,
                Attempt::NoMemory if contracts::application::out_of_memory() => {}
                // Who ends does so on its way back to the program. A copy of the kernel's fails.
                Attempt::NoMemory => return sync::may_sleep(),
                Attempt::Waits if asked == ASKED => return false,
                // Each time it comes, it may be gone again before it can be shown.
                Attempt::Waits => match self.bring(page, access) {
                    Ok(()) => asked += 1,
                    Err(NoPage::Missing) => return false,
                    Err(NoPage::OutOfMemory) if contracts::application::out_of_memory() => {}
                    Err(NoPage::OutOfMemory) => return sync::may_sleep(),
                },
                Attempt::Refused => return false,
            }
        }
    }

    /// The same, unless a file's page must be waited for: nobody waits under the book's lock.
    #[inline(always)]
    fn attempt(&self, page: usize, access: Access) -> Attempt {
        let result = {
            let mut state = self.state.lock_in_line();
            let Some(mut region) = state.regions.first_behind(page) else { return Attempt::Refused };
            if region.start > page {
                match self.grow_stack(&mut state, page) {
                    Some(grown) => region = grown,
                    None => return Attempt::Refused,
                }
            }
            let protection = region.protection;
            if !allows(protection, access) {
                return Attempt::Refused;
            }
            let source = match region.source {
                Source::File { shared } => {
                    self.note_shown();
                    match file_page(region, page, shared, access) {
                        Ok(source) => source,
                        Err(attempt) => return attempt,
                    }
                }
                _ => region.source_at(page),
            };
            let larger = region.larger_at(page);
            if contracts::translations::shows_apart() && self.shows_run(region, page, access, source) {
                return Attempt::Resolved;
            }
            self.insist(&state, || {
                if is_both(protection) {
                    populate_one_of_both(&self.handle, page, access, protection, source)
                } else {
                    contracts::translations::populate(&self.handle, page, access, protection, source, larger)
                }
            })
        };
        match result {
            Ok(()) => Attempt::Resolved,
            Err(MemoryRefused::BadRange) => Attempt::Refused,
            Err(MemoryRefused::OutOfMemory | MemoryRefused::NoSpace) => Attempt::NoMemory,
        }
    }

    /// Shows pages of a file that follow this one in memory together with it, where each takes a fault of its own: for
    /// one who reads, and may not store into them.
    fn shows_run(&self, region: &Region, page: usize, access: Access, source: Source) -> bool {
        let Source::Page { address, shared } = source else { return false };
        if access == Access::Write || is_both(region.protection) || shared && region.protection.write {
            return false;
        }
        let Some(file) = &region.file else { return false };
        let most = ((region.end - page) / PAGE_SIZE).min(RUN);
        let count = file.run(region.file_page(page), address, most);
        let range = page..page + count * PAGE_SIZE;
        count > 1 && contracts::translations::populate_run(&self.handle, range, region.protection, source)
    }

    /// Waits, with nothing locked, for what a file has for `page`. Where there is no file any more, another attempt
    /// will tell what there is instead.
    #[cold]
    #[inline(never)]
    fn bring(&self, page: usize, access: Access) -> Result<(), NoPage> {
        let Some(region) = self.region(page) else { return Ok(()) };
        let Some(file) = &region.file else { return Ok(()) };
        file.bring(region.file_page(page), region.source.is_shared() && access == Access::Write)
    }
}

/// Most pages that are shown by one fault: asking the file for as many takes about as long as the fault.
const RUN: usize = 128;

/// Times that a file is asked for one page, before a fault that finds it gone each time is the program's.
const ASKED: u32 = 64;

/// How an attempt to resolve a fault ended.
enum Attempt {
    /// The page is there.
    Resolved,
    /// The program may not, or there is none.
    Refused,
    /// The file must bring it first.
    Waits,
    /// No memory is left for it.
    NoMemory,
}

/// Asks the region's file for the page at `page`; else how the attempt ends.
#[inline(never)]
fn file_page(region: &Region, page: usize, shared: bool, access: Access) -> Result<Source, Attempt> {
    let Some(file) = &region.file else { return Err(Attempt::Refused) };
    match file.page(region.file_page(page), shared && access == Access::Write) {
        // The file keeps the page until it has had us forget it, for which it waits for the book's lock.
        Ok(Some(found)) => Ok(Source::Page { address: found.address(), shared }),
        Ok(None) => Err(Attempt::Waits),
        Err(NoPage::Missing) => Err(Attempt::Refused),
        Err(NoPage::OutOfMemory) => Err(Attempt::NoMemory),
    }
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
