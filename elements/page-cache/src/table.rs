//! The pages of one file that are here, by number.
//!
//! Groups of neighbours in the order of their numbers: a file that is read from its start appends, and a look-up
//! halves its way through a fraction of the pages.

use alloc::{boxed::Box, sync::Arc, vec::Vec};
use core::ops::Range;

use pages::Page;

/// Pages in a group.
const GROUP: u64 = 32;

/// A page that is here.
#[derive(Clone)]
pub(super) struct Entry {
    pub(super) page: Arc<Page>,
    /// Somebody asked for it since the last search for pages to let go of.
    pub(super) used: bool,
    /// A program may see it.
    pub(super) shown: bool,
    /// A program may have stored into it since it was last written back.
    pub(super) dirty: bool,
}

#[derive(Default)]
pub(super) struct Table {
    groups: Vec<Group>,
    count: usize,
    /// Where the last group was that somebody looked for: the next page is often in the same one.
    recent: usize,
}

struct Group {
    /// The number of its first page, divided by [`GROUP`].
    number: u64,
    entries: Box<[Option<Entry>; GROUP as usize]>,
    count: usize,
}

const fn place(number: u64) -> usize {
    (number % GROUP) as usize
}

impl Table {
    /// How many there are.
    pub(super) const fn count(&self) -> usize {
        self.count
    }

    fn find(&self, number: u64) -> Result<usize, usize> {
        if self.groups.get(self.recent).is_some_and(|group| group.number == number / GROUP) {
            return Ok(self.recent);
        }
        self.groups.binary_search_by_key(&(number / GROUP), |group| group.number)
    }

    pub(super) fn get_mut(&mut self, number: u64) -> Option<&mut Entry> {
        let index = self.find(number).ok()?;
        self.recent = index;
        self.groups.get_mut(index)?.entries[place(number)].as_mut()
    }

    pub(super) fn has(&self, number: u64) -> bool {
        self.find(number).is_ok_and(|index| self.groups[index].entries[place(number)].is_some())
    }

    pub(super) fn insert(&mut self, number: u64, entry: Entry) {
        let index = self.find(number).unwrap_or_else(|index| {
            let entries = Box::new([const { None }; GROUP as usize]);
            self.groups.insert(index, Group { number: number / GROUP, entries, count: 0 });
            index
        });
        self.recent = index;
        let group = &mut self.groups[index];
        if group.entries[place(number)].replace(entry).is_none() {
            group.count += 1;
            self.count += 1;
        }
    }

    pub(super) fn remove(&mut self, number: u64) -> Option<Entry> {
        let index = self.find(number).ok()?;
        let group = &mut self.groups[index];
        let entry = group.entries[place(number)].take()?;
        group.count -= 1;
        self.count -= 1;
        if group.count == 0 {
            self.groups.remove(index);
        }
        Some(entry)
    }

    /// The first page from `number` on.
    pub(super) fn next(&self, number: u64) -> Option<u64> {
        let index = self.find(number).unwrap_or_else(|index| index);
        let numbers = self.groups[index..].iter().flat_map(|group| {
            let present = (0..GROUP).filter(|&place| group.entries[place as usize].is_some());
            present.map(|place| group.number * GROUP + place)
        });
        numbers.into_iter().find(|&found| found >= number)
    }

    /// Those of `range`, in order.
    pub(super) fn numbers(&self, range: Range<u64>) -> impl Iterator<Item = u64> {
        let mut at = range.start;
        core::iter::from_fn(move || {
            let number = self.next(at).filter(|&number| number < range.end)?;
            at = number + 1;
            Some(number)
        })
    }
}
