//! The pages that belong to one file, by number.
//!
//! Groups of neighbours in the order of their numbers: a file that grows appends, a lookup halves its way through a
//! sixteenth of the pages, and a file of one page takes little more than that page.

use alloc::{boxed::Box, sync::Arc, vec::Vec};

use ::pages::Page;

/// A page, if the file has one of that number.
type Slot = Option<Arc<Page>>;

/// Bytes of a page.
const PAGE: u64 = ::pages::SIZE as u64;

/// Pages in a group.
const GROUP: u64 = 16;

#[derive(Default)]
pub(crate) struct Owned {
    groups: Vec<Group>,
    count: u64,
}

struct Group {
    /// The number of its first page, divided by [`GROUP`].
    number: u64,
    /// At least one is there.
    pages: Box<[Slot; GROUP as usize]>,
}

const fn place(number: u64) -> usize {
    (number % GROUP) as usize
}

/// Where in their page so many bytes from `offset` on begin, if one page has them all and they are before `end`.
#[inline(always)]
const fn is_whole(offset: u64, count: usize, end: u64) -> Option<usize> {
    let inside = (offset % PAGE) as usize;
    // The sum is at most the end of a page: 0 instead of 2^64, but no file has that page.
    if inside + count > ::pages::SIZE || offset.wrapping_add(count as u64) > end {
        core::hint::cold_path();
        return None;
    }
    Some(inside)
}

impl Group {
    fn has(&self, number: u64) -> bool {
        self.pages[place(number)].is_some()
    }

    fn numbers(&self) -> impl DoubleEndedIterator<Item = u64> {
        let first = self.number * GROUP;
        (0..GROUP).map(move |place| first + place).filter(|&number| self.has(number))
    }
}

impl Owned {
    /// How many there are.
    pub(crate) const fn count(&self) -> u64 {
        self.count
    }

    /// A page, if it is there.
    #[inline]
    pub(crate) fn get(&self, number: u64) -> Option<&Arc<Page>> {
        // Without holes before it, a group stands at its number.
        let here = |index: usize| self.groups.get(index).filter(|group| group.number == number / GROUP);
        let group = here((number / GROUP) as usize).or_else(|| here(self.find(number)))?;
        group.pages[place(number)].as_ref()
    }

    /// As [`Owned::get`], but only where there are no holes before it.
    #[inline(always)]
    fn get_in_line(&self, number: u64) -> Option<&Arc<Page>> {
        let group = self.groups.get((number / GROUP) as usize).filter(|group| group.number == number / GROUP)?;
        group.pages[place(number)].as_ref()
    }

    /// The page that has all of `count` bytes from `offset` on, which are before `end`, and where in it they begin.
    pub(crate) fn whole(&self, offset: u64, count: usize, end: u64) -> Option<(&Page, usize)> {
        let inside = is_whole(offset, count, end)?;
        Some((&**self.get(offset / PAGE)?, inside))
    }

    /// The same without a call, but only where there are no holes before it.
    #[inline(always)]
    pub(crate) fn whole_in_line(&self, offset: u64, count: usize, end: u64) -> Option<(&Page, usize)> {
        let inside = is_whole(offset, count, end)?;
        Some((&**self.get_in_line(offset / PAGE)?, inside))
    }

    fn slot(&mut self, number: u64) -> Option<&mut Slot> {
        let index = self.find(number);
        let group = self.groups.get_mut(index).filter(|group| group.number == number / GROUP)?;
        Some(&mut group.pages[place(number)])
    }

    /// Adds a page where there is none.
    pub(crate) fn insert(&mut self, number: u64, page: Arc<Page>) {
        if self.slot(number).is_none() {
            let pages = Box::new([const { None }; GROUP as usize]);
            self.groups.insert(self.find(number), Group { number: number / GROUP, pages });
        }
        if let Some(slot) = self.slot(number) {
            *slot = Some(page);
            self.count += 1;
        }
    }

    /// Removes a page, which nobody may be shown any more before it goes.
    pub(crate) fn remove(&mut self, number: u64) -> Option<Arc<Page>> {
        let page = self.slot(number)?.take()?;
        self.count -= 1;
        let index = self.find(number);
        if self.groups[index].numbers().next().is_none() {
            self.groups.remove(index);
        }
        Some(page)
    }

    /// Removes all from `number` on, and puts them into `gone`.
    pub(crate) fn cut(&mut self, number: u64, gone: &mut Vec<Arc<Page>>) {
        // From the last one on, so that no group has to move.
        while let Some(last) = self.groups.last().and_then(|group| group.numbers().next_back())
            && last >= number
        {
            gone.extend(self.remove(last));
        }
    }

    /// The first page from `number` on.
    pub(crate) fn next(&self, number: u64) -> Option<u64> {
        let groups = self.groups.iter().skip(self.find(number));
        groups.flat_map(Group::numbers).find(|&found| found >= number)
    }

    /// The first number from `number` on of which there is no page.
    pub(crate) fn next_missing(&self, number: u64) -> u64 {
        let mut number = number;
        while self.get(number).is_some() {
            number += 1;
        }
        number
    }

    /// The first byte from `offset` on and before `end` that is in a page of these or before `kept`, or that is not.
    pub(crate) fn next_part(&self, offset: u64, hole: bool, kept: u64, end: u64) -> Option<u64> {
        let kept = kept.div_ceil(PAGE);
        let first = offset / PAGE;
        let found = if hole {
            // What is kept may be followed by pages, but has no hole.
            self.next_missing(first.max(kept))
        } else if first < kept {
            first
        } else {
            self.next(first)?
        };
        Some(offset.max(found.saturating_mul(PAGE))).filter(|&found| found < end)
    }

    /// The place of the group that page `number` is in, or where that group would go.
    #[inline(never)]
    fn find(&self, number: u64) -> usize {
        self.groups.partition_point(|group| group.number < number / GROUP)
    }
}
