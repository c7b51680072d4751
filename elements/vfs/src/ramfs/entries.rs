//! A directory's entries, in the order of their names.
//!
//! Runs of neighbours, because a balanced tree is ten times the code: an entry that comes or goes moves at most the
//! rest of its run, and a run that comes or goes the list of runs, which stays short for directories that people have.

use alloc::vec::Vec;
use core::{cmp::Ordering, mem};

use super::Name;

/// Entries of a run that is cut in two.
const LONGEST: usize = 256;

struct Entry<T> {
    name: Name,
    value: T,
}

pub struct Entries<T> {
    /// None is empty.
    runs: Vec<Vec<Entry<T>>>,
    count: usize,
}

/// Where a name is, or would be.
struct Spot {
    run: usize,
    index: usize,
    found: bool,
}

/// Where in `count` things something is, or would be, and whether it is there; `order` says how each stands to it.
#[inline(always)]
fn search(count: usize, order: impl Fn(usize) -> Ordering) -> (usize, bool) {
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = (low + high) / 2;
        match order(middle) {
            Ordering::Less => low = middle + 1,
            Ordering::Equal => return (middle, true),
            Ordering::Greater => high = middle,
        }
    }
    (low, false)
}

// By words, then byte by byte: names are short and differ early, so that this takes fewer instructions than a call that
// compares memory.
#[inline(never)]
fn compare(mut one: &[u8], mut other: &[u8]) -> Ordering {
    while let (Some((mine, my_rest)), Some((theirs, their_rest))) = (one.split_first_chunk(), other.split_first_chunk())
    {
        let order = u64::from_be_bytes(*mine).cmp(&u64::from_be_bytes(*theirs));
        if order != Ordering::Equal {
            return order;
        }
        (one, other) = (my_rest, their_rest);
    }
    one.iter().cmp(other)
}

impl<T> Default for Entries<T> {
    fn default() -> Self {
        Self { runs: Vec::new(), count: 0 }
    }
}

impl<T> Entries<T> {
    /// How many there are.
    pub const fn count(&self) -> usize {
        self.count
    }

    #[inline(never)]
    fn find(&self, name: &[u8]) -> Spot {
        let order = |entries: &[Entry<T>], index: usize| compare(&entries[index].name, name);
        // The last run that does not begin behind the name: what comes before the first begins nowhere.
        let (behind, begins) = search(self.runs.len().saturating_sub(1), |run| order(&self.runs[run + 1], 0));
        let run = behind + usize::from(begins);
        let entries = self.runs.get(run).map_or(&[][..], |run| run);
        let (index, found) = search(entries.len(), |index| order(entries, index));
        Spot { run, index, found }
    }

    pub fn get(&self, name: &[u8]) -> Option<&T> {
        let Spot { run, index, found } = self.find(name);
        let entry = self.runs.get(run)?.get(index)?;
        if found { Some(&entry.value) } else { None }
    }

    /// Gives `name` a value; returns what it had.
    pub fn insert(&mut self, name: Name, value: T) -> Option<T> {
        let Spot { run, index, found } = self.find(&name);
        if self.runs.is_empty() {
            // Not left to grow: every boot makes some directories.
            self.runs = Vec::with_capacity(1);
            self.runs.push(Vec::with_capacity(4));
        }
        let entries = self.runs.get_mut(run)?;
        if found {
            return Some(mem::replace(&mut entries.get_mut(index)?.value, value));
        }
        entries.insert(index, Entry { name, value });
        if entries.len() > LONGEST {
            let rest = entries.split_off(LONGEST / 2);
            self.runs.insert(run + 1, rest);
        }
        self.count += 1;
        None
    }

    pub fn remove(&mut self, name: &[u8]) {
        let Spot { run, index, found } = self.find(name);
        if found && let Some(entries) = self.runs.get_mut(run) {
            entries.remove(index);
            if entries.is_empty() {
                self.runs.remove(run);
            }
            self.count -= 1;
        }
    }

    /// Removes the entries that are not to be kept.
    pub fn retain(&mut self, keep: &mut dyn FnMut(&T) -> bool) {
        for entries in &mut self.runs {
            entries.retain(|entry| keep(&entry.value));
        }
        self.runs.retain(|entries| !entries.is_empty());
        self.count = self.runs.iter().map(Vec::len).sum();
    }

    /// Shows the entries behind the name `after`, which is empty for all, until `visit` answers `false`. Returns the
    /// last name that it took.
    pub fn visit(&self, after: &[u8], visit: &mut dyn FnMut(&[u8], &T) -> bool) -> Option<&[u8]> {
        let Spot { run, index, found } = self.find(after);
        let mut first = index + usize::from(found);
        let mut last = None;
        for entries in self.runs.iter().skip(run) {
            for entry in entries.iter().skip(first) {
                if !visit(&entry.name, &entry.value) {
                    return last;
                }
                last = Some(&*entry.name);
            }
            first = 0;
        }
        last
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::{borrow::Cow, collections::BTreeMap, string::String, sync::Arc, vec::Vec};

    use super::*;
    use crate::{
        Node,
        tests::{empty, nameless},
    };

    #[test]
    fn names_are_in_the_order_of_their_bytes() {
        let names: [&[u8]; 9] = [
            b"",
            b"a",
            b"abcdefgh",
            b"abcdefghi",
            b"abcdefgz",
            b"abcdefg",
            b"\xff234567\x01",
            b"\xff234567\xf0z",
            b"b",
        ];
        for one in names {
            for other in names {
                assert_eq!(compare(one, other), one.cmp(other));
            }
        }
    }

    fn name(number: u32) -> Vec<u8> {
        std::format!("{number}").into_bytes()
    }

    fn names(entries: &Entries<Arc<dyn Node>>, after: &[u8]) -> Vec<String> {
        let mut names = Vec::new();
        entries.visit(after, &mut |name, _| {
            names.push(String::from_utf8(name.to_vec()).unwrap());
            true
        });
        names
    }

    #[test]
    fn they_behave_like_a_map() {
        let ramfs = empty();
        let (mut entries, mut model) = (Entries::default(), BTreeMap::new());
        let mut state = 1_u64;
        let steps = if cfg!(miri) { 40 } else { 20_000 };
        for step in 0..steps {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let key = name((state >> 33) as u32 % 3000);
            // Grows first, then shrinks to nothing.
            if (state >> 50) % 16 < if step < steps / 2 { 12 } else { 4 } {
                let node = nameless(&ramfs);
                let old = entries.insert(Cow::Owned(key.clone()), node.clone());
                assert_eq!(old.map(|old| old.metadata()), model.insert(key, node).map(|old| old.metadata()));
            } else {
                entries.remove(&key);
                model.remove(&key);
            }
            assert_eq!(entries.count(), model.len());
        }
        for (key, node) in &model {
            assert!(crate::same(entries.get(key).unwrap(), node));
        }
        let expected: Vec<String> = model.keys().map(|key| String::from_utf8(key.clone()).unwrap()).collect();
        assert_eq!(names(&entries, b""), expected);
        for after in (0..3000).step_by(if cfg!(miri) { 500 } else { 1 }) {
            let after = std::format!("{after}");
            let rest = expected.partition_point(|name| *name <= after);
            assert_eq!(names(&entries, after.as_bytes()), expected[rest..]);
        }
    }

    #[test]
    fn all_can_go_and_come_again() {
        let ramfs = empty();
        let mut entries = Entries::default();
        let count = if cfg!(miri) { 40 } else { 1000 };
        for _ in 0..2 {
            for number in 0..count {
                entries.insert(Cow::Owned(name(number)), nameless(&ramfs));
            }
            for number in (0..count).rev() {
                entries.remove(&name(number));
                assert!(entries.get(&name(number)).is_none());
            }
            assert_eq!((entries.count(), names(&entries, b"").len()), (0, 0));
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "a hundred thousand take minutes")]
    fn a_hundred_thousand_are_made_at_once() {
        let ramfs = empty();
        let (mut entries, node) = (Entries::default(), nameless(&ramfs));
        for number in 0..100_000_u32 {
            entries.insert(Cow::Owned(name(number.wrapping_mul(2_654_435_761))), node.clone());
        }
        assert_eq!(entries.count(), 100_000);
    }
}
