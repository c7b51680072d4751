//! A directory's entries, in the order of their names.
//!
//! Runs of neighbours, because a balanced tree is ten times the code: an entry that comes or goes moves at most the
//! rest of its run, and a run that comes or goes the list of runs, which stays short for directories that people have.

use alloc::{sync::Arc, vec::Vec};
use core::{cmp::Ordering, mem};

use crate::{Kind, Name, Node, known::changed};

/// Entries of a run that is cut in two.
const LONGEST: usize = 256;

/// Entries that are looked through one after the other sooner than they are searched by halves.
const FEW: usize = 8;

struct Entry<T> {
    /// The name's [`beginning`]: most searches go by it, and look at no name but the one they find.
    beginning: u64,
    name: Name,
    value: T,
}

impl<T> Entry<T> {
    /// Whether it is the one of a name with that beginning.
    #[inline(always)]
    fn is(&self, beginning: u64, name: &[u8]) -> bool {
        self.beginning == beginning
            && self.name.len() == name.len()
            && (name.len() <= 8
                || self.name.last_chunk::<8>() == name.last_chunk() && (name.len() <= 16 || *self.name == *name))
    }

    /// How it stands to a name with that beginning.
    #[inline(always)]
    fn order(&self, beginning: u64, name: &[u8]) -> Ordering {
        match self.beginning.cmp(&beginning) {
            Ordering::Equal => compare_ends(&self.name, name),
            order => order,
        }
    }
}

pub struct Entries<T> {
    /// None is empty, unless it is the only one and short: so the name that comes next needs no memory for it.
    runs: Vec<Vec<Entry<T>>>,
    count: usize,
}

/// Where a name is, or would be, as long as the entries stay as they are.
pub struct Spot {
    run: usize,
    index: usize,
    found: bool,
    /// Of the name.
    beginning: u64,
}

/// Where in `count` things something is, or would be, and whether it is there; `order` says how each stands to it.
#[inline(always)]
fn search(count: usize, order: impl Fn(usize) -> Ordering) -> (usize, bool) {
    let (mut low, mut high) = (0, count);
    while low < high {
        #[cfg(test)]
        steps::count(1);
        let middle = (low + high) / 2;
        match order(middle) {
            Ordering::Less => low = middle + 1,
            Ordering::Equal => return (middle, true),
            Ordering::Greater => high = middle,
        }
    }
    (low, false)
}

/// A name's first eight bytes as a number that is in the order of names; what a short name lacks is zero.
#[inline(always)]
fn beginning(name: &[u8]) -> u64 {
    if let Some(bytes) = name.first_chunk() {
        return u64::from_be_bytes(*bytes);
    }
    // Without a loop: what is taken twice comes to the same place.
    let place = |index: usize| 56 - 8 * index as u32;
    if let (Some(first), Some(last)) = (name.first_chunk(), name.last_chunk()) {
        let (first, last) = (u32::from_be_bytes(*first), u32::from_be_bytes(*last));
        return u64::from(first) << 32 | u64::from(last) << place(name.len() - 1);
    }
    match *name {
        [] => 0,
        [first, .., last] => {
            let middle = name[name.len() / 2];
            u64::from(first) << 56 | u64::from(middle) << 48 | u64::from(last) << place(name.len() - 1)
        }
        [only] => u64::from(only) << 56,
    }
}

/// The order of names that begin alike. By words, then byte by byte: names are short, so that this takes fewer
/// instructions than a call that compares memory.
#[inline(never)]
fn compare_ends(one: &[u8], other: &[u8]) -> Ordering {
    let (Some((_, mut one)), Some((_, mut other))) = (one.split_first_chunk::<8>(), other.split_first_chunk::<8>())
    else {
        // What one has behind the other's end is zeros.
        return one.len().cmp(&other.len());
    };
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

/// What has a name.
pub trait Named {
    /// Whether walks pass it: it is a directory, or a link that may lead to one.
    fn is_passage(&self) -> bool;
}

impl Named for Arc<dyn Node> {
    fn is_passage(&self) -> bool {
        matches!(self.kind(), Kind::Directory | Kind::Link)
    }
}

impl<T: Named> Entries<T> {
    /// How many there are.
    pub const fn count(&self) -> usize {
        self.count
    }

    #[inline(never)]
    fn find(&self, name: &[u8]) -> Spot {
        let beginning = beginning(name);
        // The last run that does not begin behind the name: what comes before the first begins nowhere.
        let (behind, begins) =
            search(self.runs.len().saturating_sub(1), |run| self.runs[run + 1][0].order(beginning, name));
        let run = behind + usize::from(begins);
        let entries = self.runs.get(run).map_or(&[][..], |run| run);
        let (index, found) = search(entries.len(), |index| entries[index].order(beginning, name));
        Spot { run, index, found, beginning }
    }

    pub fn get(&self, name: &[u8]) -> Option<&T> {
        let beginning = beginning(name);
        match &*self.runs {
            [run] if run.len() <= FEW => run.iter().find(|entry| entry.is(beginning, name)).map(|entry| &entry.value),
            _ => self.get_of_many(name),
        }
    }

    #[inline(never)]
    fn get_of_many(&self, name: &[u8]) -> Option<&T> {
        let Spot { run, index, found, .. } = self.find(name);
        let entry = self.runs.get(run)?.get(index)?;
        if found { Some(&entry.value) } else { None }
    }

    /// Where `name` goes, if nothing has it.
    #[inline]
    pub fn vacancy(&self, name: &[u8]) -> Option<Spot> {
        Some(self.find(name)).filter(|spot| !spot.found)
    }

    /// Where `name` is, and what has it.
    #[inline]
    pub fn locate(&self, name: &[u8]) -> Option<(Spot, &T)> {
        let spot = match &*self.runs {
            [run] if run.len() <= FEW => {
                let beginning = beginning(name);
                let index = run.iter().position(|entry| entry.is(beginning, name))?;
                Spot { run: 0, index, found: true, beginning }
            }
            _ => self.find(name),
        };
        let entry = self.runs.get(spot.run)?.get(spot.index)?;
        if spot.found { Some((spot, &entry.value)) } else { None }
    }

    /// Gives `name` a value; returns what it had.
    pub fn insert(&mut self, name: Name, value: T) -> Option<T> {
        let spot = self.find(&name);
        if spot.found {
            let old = mem::replace(&mut self.runs.get_mut(spot.run)?.get_mut(spot.index)?.value, value);
            changed(old.is_passage());
            return Some(old);
        }
        self.fill(spot, name, value);
        None
    }

    /// Gives a value to `name`, whose [`Entries::vacancy`] this is.
    pub fn fill(&mut self, Spot { run, index, beginning, .. }: Spot, name: Name, value: T) {
        if self.runs.is_empty() {
            // Not left to grow: every boot makes some directories.
            self.runs.reserve_exact(1);
            self.runs.push(Vec::with_capacity(4));
        }
        let Some(entries) = self.runs.get_mut(run) else { return };
        #[cfg(test)]
        steps::count(entries.len() - index);
        entries.insert(index, Entry { beginning, name, value });
        if entries.len() > LONGEST {
            let rest = entries.split_off(LONGEST / 2);
            #[cfg(test)]
            steps::count(LONGEST / 2 + self.runs.len() - run);
            self.runs.insert(run + 1, rest);
        }
        self.count += 1;
    }

    pub fn remove(&mut self, name: &[u8]) {
        let spot = self.find(name);
        if spot.found {
            self.take(spot);
        }
    }

    /// Takes out what [`Entries::locate`] has found there.
    pub fn take(&mut self, Spot { run, index, .. }: Spot) -> Option<T> {
        let entries = self.runs.get_mut(run)?;
        #[cfg(test)]
        steps::count(entries.len() - index);
        let Entry { value, .. } = entries.remove(index);
        changed(value.is_passage());
        let is_kept = !entries.is_empty() || entries.capacity() <= FEW && self.runs.len() == 1;
        if !is_kept {
            #[cfg(test)]
            steps::count(self.runs.len() - run);
            self.runs.remove(run);
        }
        self.count -= 1;
        Some(value)
    }

    /// Removes the entries that are not to be kept.
    pub fn retain(&mut self, keep: &mut dyn FnMut(&T) -> bool) {
        changed(true);
        for entries in &mut self.runs {
            entries.retain(|entry| keep(&entry.value));
        }
        self.runs.retain(|entries| !entries.is_empty());
        self.count = self.runs.iter().map(Vec::len).sum();
    }

    /// Shows the entries behind the name `after`, which is empty for all, until `visit` answers `false`. Returns the
    /// last name that it took.
    pub fn visit(&self, after: &[u8], visit: &mut dyn FnMut(&[u8], &T) -> bool) -> Option<&[u8]> {
        let Spot { run, index, found, .. } = self.find(after);
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

    use std::{collections::BTreeMap, string::String, sync::Arc, vec::Vec};

    use super::*;
    use crate::{
        Node,
        tests::{empty, nameless},
    };

    #[test]
    fn names_are_in_the_order_of_their_bytes() {
        let names: [&[u8]; 21] = [
            b"abcdefghijklmnopqrstuvwxyz",
            b"abcdefghijkl0nopqrstuvwxyz",
            b"abcdefghijklmnop",
            b"",
            b"\0",
            b"a",
            b"a\0",
            b"ab",
            b"abc",
            b"ac",
            b"a\0\0\0b",
            b"abcdef",
            b"abcd",
            b"abcde",
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
                let entry = Entry { beginning: beginning(one), name: one.into(), value: () };
                assert_eq!(entry.order(beginning(other), other), one.cmp(other));
                assert_eq!(entry.is(beginning(other), other), one == other);
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
                let old = entries.insert((&*key).into(), node.clone());
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
                entries.insert((&*name(number)).into(), nameless(&ramfs));
            }
            for number in (0..count).rev() {
                entries.remove(&name(number));
                assert!(entries.get(&name(number)).is_none());
            }
            assert_eq!((entries.count(), names(&entries, b"").len()), (0, 0));
        }
    }

    /// Names in no order, and those that come before all others: an entry moves part of its run.
    #[test]
    #[cfg_attr(miri, ignore = "a hundred thousand take minutes")]
    fn a_hundred_thousand_take_steps_by_their_number() {
        const MANY: u32 = 100_000;
        let ramfs = empty();
        let node = nameless(&ramfs);
        let orders: [fn(u32) -> u32; 2] = [|number| number.wrapping_mul(2_654_435_761), |number| 900_000 - number];
        for order in orders {
            let mut entries = Entries::default();
            let before = steps::taken();
            for number in 0..MANY {
                entries.insert((&*name(order(number))).into(), node.clone());
            }
            assert_eq!(entries.count(), MANY as usize);
            for number in 0..MANY {
                entries.remove(&name(order(number)));
            }
            assert_eq!(entries.count(), 0);
            let most = 2 * MANY as usize * LONGEST;
            let steps = steps::taken() - before;
            assert!(steps <= most, "{steps} steps, more than {most}");
        }
    }
}
