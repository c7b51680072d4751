//! The slot `translations`: for each space a map from pages to frames of ordinary memory, and a count of calls.

use std::{
    collections::BTreeMap,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
};

use machine::{Access, Larger, MemoryRefused, PAGE_SIZE, PageRange, Protection, Source, SpaceHandle, Translations};

use crate::processor;

mod leaf;

pub(crate) use leaf::PAGE;
pub use leaf::{Leaf, frames_in_use, with_few_frames};

/// Addresses that applications may use.
const USER: PageRange = 0x1_0000..0x7fff_ffff_f000;

/// Fills the slot.
#[derive(Debug)]
pub struct Pager;

/// The translations of one address space.
#[derive(Debug, Default)]
pub struct Space {
    /// What is mapped, by page.
    pub leaves: BTreeMap<usize, Leaf>,
    /// Calls of [`Translations::activate`].
    pub activated: usize,
    /// Calls of [`Translations::populate`].
    pub populated: usize,
}

impl Space {
    fn pages_in(&self, range: &PageRange) -> Vec<usize> {
        self.leaves.range(range.clone()).map(|(&page, _)| page).collect()
    }

    fn remove(&mut self, range: &PageRange, wanted: impl Fn(&Leaf) -> bool) {
        self.leaves.retain(|page, leaf| !range.contains(page) || !wanted(leaf));
    }
}

type Spaces = BTreeMap<usize, Space>;

static SPACES: Mutex<Spaces> = Mutex::new(BTreeMap::new());
/// The number of the space made last.
static LAST: AtomicUsize = AtomicUsize::new(0);

fn spaces() -> MutexGuard<'static, Spaces> {
    SPACES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The number of the space that was made last.
#[must_use]
pub fn last_made() -> usize {
    LAST.load(SeqCst)
}

/// How many there are.
#[must_use]
pub fn spaces_in_use() -> usize {
    spaces().len()
}

/// Looks at a space, which must be there: who uses one that was given up fails.
pub fn with<R>(number: usize, look: impl FnOnce(&mut Space) -> R) -> R {
    let mut spaces = spaces();
    let space = spaces.get_mut(&number);
    look(space.unwrap_or_else(|| panic!("address space {number} is used, and has been given up")))
}

fn of<R>(handle: &SpaceHandle, look: impl FnOnce(&mut Space) -> R) -> R {
    with(handle.word(), look)
}

impl Translations for Pager {
    fn user_range(&self) -> PageRange {
        USER
    }

    fn several(&self) -> bool {
        true
    }

    fn make(&self) -> Result<SpaceHandle, MemoryRefused> {
        let number = LAST.fetch_add(1, SeqCst) + 1;
        spaces().insert(number, Space::default());
        Ok(SpaceHandle::from_word(number))
    }

    fn give_up(&self, space: SpaceHandle) {
        let gone = spaces().remove(&space.word());
        assert!(gone.is_some(), "an address space is given up once");
        processor::leave_space(space.word());
    }

    fn activate(&self, space: &SpaceHandle) {
        of(space, |space| space.activated += 1);
        processor::enter_space(space.word());
    }

    fn duplicate(&self, from: &SpaceHandle, to: &SpaceHandle, range: PageRange) -> Result<(), MemoryRefused> {
        for page in of(from, |from| from.pages_in(&range)) {
            let copy = of(from, |from| from.leaves[&page].copied())?;
            if let Some(copy) = copy {
                let before = of(to, |to| to.leaves.insert(page, copy));
                assert!(before.is_none(), "the copy has no page at {page:#x} yet");
            }
        }
        Ok(())
    }

    fn attach(&self, space: &SpaceHandle, range: PageRange, _: Protection, _: Source) -> Result<(), MemoryRefused> {
        let before = of(space, |space| space.pages_in(&range));
        assert!(before.is_empty(), "a new region finds stale translations at {before:x?}");
        Ok(())
    }

    fn populate(
        &self,
        space: &SpaceHandle,
        page: usize,
        access: Access,
        protection: Protection,
        source: Source,
        _: Larger,
    ) -> Result<(), MemoryRefused> {
        of(space, |space| {
            space.populated += 1;
            let before = space.leaves.remove(&page);
            let leaf = leaf::populated(before, access, protection, source)?;
            space.leaves.insert(page, leaf);
            Ok(())
        })
    }

    fn detach(&self, space: &SpaceHandle, range: PageRange) {
        of(space, |space| space.remove(&range, |_| true));
    }

    fn forget(&self, space: &SpaceHandle, range: PageRange) {
        of(space, |space| space.remove(&range, |leaf| !leaf.is_owned()));
    }

    fn protect(&self, space: &SpaceHandle, range: PageRange, protection: Protection) -> Result<(), MemoryRefused> {
        of(space, |space| space.leaves.range_mut(range).for_each(|(_, leaf)| leaf.protect(protection)));
        Ok(())
    }

    fn discard(&self, space: &SpaceHandle, range: PageRange, _: Protection, _: Source) -> Result<(), MemoryRefused> {
        self.detach(space, range);
        Ok(())
    }

    fn relocate(
        &self,
        space: &SpaceHandle,
        from: PageRange,
        to: usize,
        _: Protection,
        _: Source,
    ) -> Result<(), MemoryRefused> {
        of(space, |space| {
            for page in space.pages_in(&from) {
                let leaf = space.leaves.remove(&page).expect("it was there just now");
                space.leaves.insert(to + (page - from.start), leaf);
            }
        });
        Ok(())
    }

    fn populate_all(&self, _: &SpaceHandle, _: PageRange, _: Access) -> bool {
        false
    }

    fn prefer(&self, _: &SpaceHandle, _: PageRange, _: Larger) {}

    fn is_resident(&self, space: &SpaceHandle, page: usize) -> bool {
        of(space, |space| space.leaves.contains_key(&(page & !(PAGE_SIZE - 1))))
    }

    fn resident(&self, space: &SpaceHandle) -> usize {
        of(space, |space| space.leaves.len() * PAGE_SIZE)
    }
}
