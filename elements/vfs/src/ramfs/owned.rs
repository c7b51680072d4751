//! The pages that belong to one file, by number.
//!
//! Groups of neighbours in the order of their numbers: a file that grows appends, a lookup halves its way through a
//! sixty-fourth of the pages, and a file of one page takes little more than that page.

use alloc::{boxed::Box, vec::Vec};

use super::pages::PAGE;

/// A page's bytes.
pub(super) type Page = Box<[u8; PAGE]>;

/// Pages in a group.
const GROUP: u64 = 64;

#[derive(Default)]
pub(super) struct Owned {
    groups: Vec<Group>,
    count: u64,
}

struct Group {
    /// The number of its first page, divided by [`GROUP`].
    number: u64,
    pages: Box<[Option<Page>; GROUP as usize]>,
}

const fn place(number: u64) -> usize {
    (number % GROUP) as usize
}

impl Owned {
    /// How many there are.
    pub(super) const fn count(&self) -> u64 {
        self.count
    }

    pub(super) fn get(&self, number: u64) -> Option<&Page> {
        let group = self.groups.get(self.find(number).ok()?)?;
        group.pages[place(number)].as_ref()
    }

    pub(super) fn get_mut(&mut self, number: u64) -> Option<&mut Page> {
        let index = self.find(number).ok()?;
        self.groups.get_mut(index)?.pages[place(number)].as_mut()
    }

    /// Adds a page where there is none.
    pub(super) fn insert(&mut self, number: u64, page: Page) -> &mut Page {
        let index = self.find(number).unwrap_or_else(|index| {
            let pages = Box::new([const { None }; GROUP as usize]);
            self.groups.insert(index, Group { number: number / GROUP, pages });
            index
        });
        self.count += 1;
        self.groups[index].pages[place(number)].insert(page)
    }

    pub(super) fn remove(&mut self, number: u64) {
        if let Ok(index) = self.find(number)
            && self.groups[index].pages[place(number)].take().is_some()
        {
            self.count -= 1;
        }
    }

    /// Removes all from `number` on.
    pub(super) fn cut(&mut self, number: u64) {
        let index = self.find(number).unwrap_or_else(|index| index);
        if let Some(group) = self.groups.get_mut(index).filter(|group| group.number == number / GROUP) {
            group.pages[place(number)..].fill_with(|| None);
        }
        let keeps = |group: &Group| group.pages.iter().any(Option::is_some);
        self.groups.truncate(index + usize::from(self.groups.get(index).is_some_and(keeps)));
        let pages = self.groups.iter().map(|group| group.pages.iter().flatten().count() as u64);
        self.count = pages.sum();
    }

    /// The first page from `number` on.
    pub(super) fn next(&self, number: u64) -> Option<u64> {
        let index = self.find(number).unwrap_or_else(|index| index);
        self.groups.get(index..)?.iter().find_map(|group| {
            let start = if group.number == number / GROUP { place(number) } else { 0 };
            let found = group.pages[start..].iter().position(Option::is_some)?;
            Some(group.number * GROUP + (start + found) as u64)
        })
    }

    /// The place of the group that page `number` is in, or where that group would go.
    fn find(&self, number: u64) -> Result<usize, usize> {
        self.groups.binary_search_by(|group| group.number.cmp(&(number / GROUP)))
    }
}
