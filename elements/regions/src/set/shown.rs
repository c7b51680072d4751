//! Where each file is shown: so that a file which has changed is found without a look at all regions.
//!
//! Kept only while there are several chunks. A list of few is looked through sooner, and few programs have more.

use alloc::collections::BTreeSet;

use super::{Keep, Regions};
use crate::{Region, chunk::Place};

/// The keys of files ([`crate::MappedFile::key`]), each with the start of a region that shows it.
pub type Shown = BTreeSet<(usize, usize)>;

fn entry(region: &Region) -> Option<(usize, usize)> {
    region.file.as_ref().map(|file| (file.key(), region.start))
}

impl<K: Keep> Regions<K> {
    /// Shows the regions that show the file with this key, ascending.
    pub fn each_of_file(&self, key: usize, see: &mut dyn FnMut(&Region)) {
        if !self.keeps_shown() {
            self.count_steps(self.first.list.len());
            let shows = |region: &&Region| region.file.as_ref().is_some_and(|file| file.key() == key);
            return self.first.list.iter().filter(shows).for_each(see);
        }
        for (_, start) in self.shown.range((key, 0)..=(key, usize::MAX)) {
            self.count_steps(1);
            if let Some(region) = self.find(*start) {
                see(region);
            }
        }
    }

    #[inline]
    pub(crate) fn keeps_shown(&self) -> bool {
        K::many() && !self.more.is_empty()
    }

    /// There is a region at `place` that was not there, or did not begin so.
    #[cold]
    #[inline(never)]
    pub(crate) fn note_shown(&mut self, place: Place) {
        let entry = entry(self.at(place));
        self.shown.extend(entry);
    }

    /// The region at `place` goes, or will begin otherwise.
    #[cold]
    #[inline(never)]
    pub(crate) fn forget_shown(&mut self, place: Place) {
        if let Some(entry) = entry(self.at(place)) {
            self.shown.remove(&entry);
        }
    }

    /// There are several chunks now, or one again.
    pub(crate) fn note_all_shown(&mut self) {
        self.shown = if self.more.is_empty() { Shown::new() } else { self.iter().filter_map(entry).collect() };
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::{ops::Range, sync::Arc, vec::Vec};

    use machine::{Larger, PAGE_SIZE, Protection, Source};
    use pages::Page;

    use super::*;
    use crate::{FileReference, MappedFile, NoPage, NotKept, RegionKind};

    struct Numbered(usize);

    impl MappedFile for Numbered {
        fn path(&self) -> &'static str {
            "file"
        }

        fn numbers(&self) -> (u64, u64) {
            (0, self.0 as u64)
        }

        fn may_write(&self) -> bool {
            true
        }

        fn key(&self) -> usize {
            self.0
        }

        fn page(&self, _: u64, _: bool) -> Result<Option<Arc<Page>>, NoPage> {
            Err(NoPage::Missing)
        }

        fn bring(&self, _: u64, _: bool) -> Result<(), NoPage> {
            Err(NoPage::Missing)
        }

        fn flush(&self, _: Range<u64>) -> Result<(), NotKept> {
            Ok(())
        }
    }

    fn region(page: usize, pages: usize, file: &Arc<Numbered>) -> Region {
        Region {
            start: page * PAGE_SIZE,
            end: (page + pages) * PAGE_SIZE,
            protection: Protection { read: true, ..Protection::default() },
            source: Source::Zero,
            kind: RegionKind::Data,
            file: Some(FileReference(Arc::<Numbered>::clone(file))),
            offset: (page * PAGE_SIZE) as u64,
            grows_down: false,
            larger: Larger::IfPlenty,
            locked: false,
            sealed: false,
        }
    }

    fn of_file(set: &Regions, key: usize) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        set.each_of_file(key, &mut |region| found.push((region.start, region.end)));
        found
    }

    #[test]
    fn each_file_is_found_where_it_is_shown() {
        let files: Vec<_> = (0..5).map(|number| Arc::new(Numbered(number))).collect();
        let mut state = 3_u64;
        let mut random = move |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as usize % below
        };
        let mut set = Regions::with_capacity(0);
        let steps = if cfg!(miri) { 300 } else { 6_000 };
        // Many, and then few again, twice.
        for step in 0..4 * steps {
            let (page, pages, grows) = (1 + random(3_000), 1 + random(4), step / steps % 2 == 0);
            let range = page * PAGE_SIZE..(page + pages * if grows { 1 } else { 8 }) * PAGE_SIZE;
            match random(6) {
                0 | 1 => set.remove(&range, &mut |_, _| ()),
                2 => set.protect(&range, Protection { read: true, write: random(2) == 0, execute: false }),
                _ if grows => drop(set.insert(region(page, pages, &files[random(5)]))),
                _ => set.remove(&range, &mut |_, _| ()),
            }
            let key = random(6);
            let shows = |region: &&Region| region.file.as_ref().is_some_and(|file| file.key() == key);
            let slow: Vec<_> = set.iter().filter(shows).map(|region| (region.start, region.end)).collect();
            assert_eq!(of_file(&set, key), slow, "step {step}");
        }
        assert!(set.more.is_empty() && set.shown.is_empty());
    }

    /// As many files as Linux lets a process have mappings, each of which changes.
    #[test]
    #[cfg_attr(miri, ignore = "thousands take minutes")]
    fn many_files_that_change_take_steps_by_their_number() {
        const MANY: usize = 65_530;
        let mut set = Regions::with_capacity(0);
        for number in 0..MANY {
            assert!(set.insert(region(1 + number, 1, &Arc::new(Numbered(number)))));
        }
        set.steps.set(0);
        for key in 0..MANY {
            assert_eq!(of_file(&set, key), [((1 + key) * PAGE_SIZE, (2 + key) * PAGE_SIZE)]);
        }
        let most = 4 * MANY * MANY.ilog2() as usize;
        assert!(set.steps.get() <= most, "{} steps, more than {most}", set.steps.get());
    }
}
