//! Explaining page faults.

use machine::{Access, PAGE_SIZE, PagerError, Protection, Record, page_align_down};

use super::AddressSpace;
use crate::log;

impl AddressSpace {
    /// Makes the page at `address` present for `access` if the book allows it; `false` if the program may not.
    /// When no memory is left the application ends.
    pub fn resolve(&self, address: usize, access: Access) -> bool {
        let page = page_align_down(address);
        let result = {
            let state = self.state.lock();
            let Some(region) = state.regions.find(page) else { return false };
            if !allows(region.protection, access) {
                return false;
            }
            let granted = granted_for(region.protection, access);
            let populated = contracts::pager::populate(page, access, granted, region.source_at(page));
            if is_both(region.protection) {
                // The page may be present with the other of the two rights.
                populated.and_then(|()| contracts::pager::protect(page..page + PAGE_SIZE, granted))
            } else {
                populated
            }
        };
        if log::traces_faults() {
            log::line(Record::Trace, format_args!("page fault: {access:?} of {address:#x}"));
        }
        match result {
            Ok(()) => true,
            Err(PagerError::BadRange) => false,
            Err(PagerError::OutOfMemory) => contracts::application::out_of_memory(),
        }
    }
}

const fn allows(protection: Protection, access: Access) -> bool {
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

/// What a page gets when it is touched by `access`: of write and execute only the one that is used.
const fn granted_for(protection: Protection, access: Access) -> Protection {
    if is_both(protection) && matches!(access, Access::Execute) {
        return Protection { write: false, ..protection };
    }
    granted_first(protection)
}

/// What pages get before anyone has touched them: write rather than execute.
pub(super) const fn granted_first(protection: Protection) -> Protection {
    Protection { execute: protection.execute && !protection.write, ..protection }
}
