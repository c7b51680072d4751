//! An address space as tests see it: loads, stores and fetches by the pager's map, and faults that its book resolves.

use std::{ops::Deref, sync::Arc};

use kernel::memory::{AddressSpace, FileReference, MapRequest, MemoryError, Placement, RegionKind};
use machine::{Access, PAGE_SIZE, PageRange, Protection, Source, page_align_down};
use test_machine::{pager, place};

/// Loads.
pub const READ: Protection = Protection { read: true, write: false, execute: false };
/// Loads and stores.
pub const WRITE: Protection = Protection { read: true, write: true, execute: false };

/// An address space, and its number for the pager.
pub struct TestSpace {
    /// The kernel's.
    pub space: Arc<AddressSpace>,
    /// The pager's.
    pub number: usize,
}

impl Deref for TestSpace {
    type Target = AddressSpace;

    fn deref(&self) -> &AddressSpace {
        &self.space
    }
}

/// A wish for zeros at this address.
#[must_use]
pub fn zeros(range: PageRange, protection: Protection) -> MapRequest {
    MapRequest {
        address: range.start,
        length: range.len(),
        placement: Placement::FixedNoReplace,
        protection,
        source: Source::Zero,
        kind: RegionKind::Data,
        file: None,
        offset: 0,
        reserve: true,
        grows_down: false,
    }
}

/// A wish for a file from its page `first` on.
#[must_use]
pub fn shows(file: &FileReference, first: u64, range: PageRange, protection: Protection, shared: bool) -> MapRequest {
    MapRequest {
        source: Source::File { shared },
        kind: RegionKind::File,
        file: Some(file.clone()),
        offset: first * PAGE_SIZE as u64,
        ..zeros(range, protection)
    }
}

impl TestSpace {
    /// A new one.
    pub fn new() -> Self {
        Self::made(AddressSpace::new(false))
    }

    fn made(space: Result<Arc<AddressSpace>, MemoryError>) -> Self {
        let space = space.expect("an address space");
        Self { space, number: pager::last_made() }
    }

    /// A copy of it.
    pub fn copy(&self) -> Self {
        Self::made(self.space.duplicate(|_| ()).map(|(copy, ())| copy))
    }

    /// Loads a word; `None`: the program may not.
    pub fn load(&self, address: usize) -> Option<u64> {
        // SAFETY: a word of a frame that the space shows; tests run one at a time.
        self.word(address, Access::Read).map(|word| unsafe { word.read() })
    }

    /// Stores a word; `false`: the program may not.
    pub fn store(&self, address: usize, value: u64) -> bool {
        // SAFETY: as above, and the space lets programs store there.
        self.word(address, Access::Write).map(|word| unsafe { word.write(value) }).is_some()
    }

    /// Fetches an instruction; `false`: the program may not.
    pub fn fetch(&self, address: usize) -> bool {
        self.word(address, Access::Execute).is_some()
    }

    fn word(&self, address: usize, access: Access) -> Option<*mut u64> {
        let place = place(self.number, address, access, &|| self.space.resolve(address, access));
        place.map(|place| place as *mut u64)
    }

    /// The pages that are present now.
    pub fn present(&self) -> Vec<usize> {
        pager::with(self.number, |space| space.leaves.keys().copied().collect())
    }

    /// What may be done with the page at `address` without another fault; `None`: it is not present.
    pub fn granted(&self, address: usize) -> Option<Protection> {
        pager::with(self.number, |space| space.leaves.get(&page_align_down(address)).map(|leaf| leaf.protection))
    }

    /// The frame of the page at `address`.
    pub fn frame(&self, address: usize) -> Option<usize> {
        pager::with(self.number, |space| space.leaves.get(&page_align_down(address)).map(|leaf| leaf.frame))
    }
}

impl Default for TestSpace {
    fn default() -> Self {
        Self::new()
    }
}
