//! Sets in sets. What happens to a file goes up every way from set to set, so the ways are bounded, by Linux' numbers:
//! no more than [`DEEPEST`] steps, and for each file so many ways of each length ([`within_limits`]).
//!
//! Each set knows how far it goes on above and below it, as a count of its neighbours by how far these go. A new link
//! lengthens that for some sets, at most [`DEEPEST`] times each, so filling a graph takes time by its links and not by
//! their square.

use alloc::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Weak},
    vec::Vec,
};
use core::sync::atomic::{AtomicUsize, Ordering};

use sync::{Mutex, MutexGuard};

/// Steps from a set to one that it is in, one behind the other (EP_MAX_NESTS).
pub const DEEPEST: usize = 4;

/// How many ways lead up from something, by how many steps from set to set they have.
pub type Paths = [u32; DEEPEST + 1];

/// Most of them from a file (`path_limits` of Linux' eventpoll.c); without a step, any number.
const LIMITS: Paths = [u32::MAX, 500, 100, 50, 10];

/// Whether a file may have so many ways up.
#[must_use]
pub fn within_limits(paths: &Paths) -> bool {
    paths.iter().zip(LIMITS).all(|(&count, most)| count <= most)
}

/// The sets would be deeper in each other than [`DEEPEST`], or in themselves (ELOOP).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooDeep;

/// Which sets are in which.
pub struct Nesting<T> {
    sets: Mutex<BTreeMap<usize, Set<T>>>,
    /// Sets in the graph.
    count: AtomicUsize,
}

/// The graph, locked. A set is known by its address, and is in it as long as it is in another or has one.
pub struct Graph<'a, T> {
    sets: MutexGuard<'a, BTreeMap<usize, Set<T>>>,
    count: &'a AtomicUsize,
    /// Steps taken, for the tests.
    #[cfg(test)]
    pub(super) steps: usize,
}

const ABOVE: usize = 0;
const BELOW: usize = 1;

struct Set<T> {
    set: Weak<T>,
    /// The sets that it is in and those that are in it, and how often.
    links: [BTreeMap<usize, usize>; 2],
    /// Of these links, how many lead to sets from which it is so many steps to the last one.
    reaches: [Paths; 2],
}

impl<T> Set<T> {
    /// Steps to the last set above, or below.
    fn height(&self, direction: usize) -> usize {
        self.reaches[direction].iter().rposition(|&count| count > 0).map_or(0, |reach| reach + 1)
    }
}

impl<T> Nesting<T> {
    /// No set is in another.
    #[must_use]
    pub const fn new() -> Self {
        Self { sets: Mutex::new(BTreeMap::new()), count: AtomicUsize::new(0) }
    }

    /// Whether no set is in another.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count.load(Ordering::Acquire) == 0
    }

    /// Nobody else changes it meanwhile.
    pub fn lock(&self) -> Graph<'_, T> {
        Graph {
            sets: self.sets.lock(),
            count: &self.count,
            #[cfg(test)]
            steps: 0,
        }
    }
}

impl<T> Default for Nesting<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> Graph<'_, T> {
    fn height(&self, set: usize, direction: usize) -> usize {
        self.sets.get(&set).map_or(0, |set| set.height(direction))
    }

    /// Whether the set of that address is in another.
    #[must_use]
    pub fn is_within(&self, set: usize) -> bool {
        self.height(set, ABOVE) > 0
    }

    /// `inner` is in `outer` from now on, once more if it was before.
    pub fn link(&mut self, outer: &Arc<T>, inner: &Arc<T>) -> Result<(), TooDeep> {
        let ends = [Arc::as_ptr(outer).addr(), Arc::as_ptr(inner).addr()];
        self.check(ends[0], ends[1])?;
        for (end, set) in ends.into_iter().zip([outer, inner]) {
            let new = || Set { set: Arc::downgrade(set), links: Default::default(), reaches: Default::default() };
            self.sets.entry(end).or_insert_with(new);
        }
        for (direction, [from, to]) in [(BELOW, ends), (ABOVE, [ends[1], ends[0]])] {
            let reach = self.height(to, direction);
            self.change(from, direction, |set| {
                *set.links[direction].entry(to).or_insert(0) += 1;
                set.reaches[direction][reach] += 1;
            });
        }
        self.count.store(self.sets.len(), Ordering::Release);
        Ok(())
    }

    /// Goes up from `outer`, to the sets alone that would have more below them than they have.
    fn check(&mut self, outer: usize, inner: usize) -> Result<(), TooDeep> {
        let below = self.height(inner, BELOW);
        if outer == inner || below + 1 + self.height(outer, ABOVE) > DEEPEST {
            return Err(TooDeep);
        }
        let mut heights = BTreeMap::new();
        let mut ways = alloc::vec![(outer, below + 1)];
        while let Some((at, height)) = ways.pop() {
            self.step();
            if height <= *heights.entry(at).or_insert_with(|| self.height(at, BELOW)) {
                continue;
            }
            if at == inner || height > DEEPEST {
                return Err(TooDeep);
            }
            heights.insert(at, height);
            let above = self.sets.get(&at).into_iter().flat_map(|set| set.links[ABOVE].keys());
            ways.extend(above.map(|&next| (next, height + 1)));
        }
        Ok(())
    }

    /// One of the times that `inner` is in `outer` is over.
    pub fn unlink(&mut self, outer: usize, inner: usize) {
        for (direction, [from, to]) in [(BELOW, [outer, inner]), (ABOVE, [inner, outer])] {
            let reach = self.height(to, direction);
            self.change(from, direction, |set| {
                let Some(count) = set.links[direction].get_mut(&to) else { return };
                *count -= 1;
                set.reaches[direction][reach] -= 1;
                if *count == 0 {
                    set.links[direction].remove(&to);
                }
            });
        }
        for end in [outer, inner] {
            if self.sets.get(&end).is_some_and(|set| set.links.iter().all(BTreeMap::is_empty)) {
                self.sets.remove(&end);
            }
        }
        self.count.store(self.sets.len(), Ordering::Release);
    }

    /// Changes a set's links of one direction, and tells those behind it how far it goes on now.
    fn change(&mut self, set: usize, direction: usize, change: impl FnOnce(&mut Set<T>)) {
        let mut changed = Vec::new();
        self.change_one(set, direction, change, &mut changed);
        while let Some((at, old, new)) = changed.pop() {
            let behind: Vec<(usize, u32)> = match self.sets.get(&at) {
                Some(set) => set.links[1 - direction].iter().map(|(&set, &count)| (set, count as u32)).collect(),
                None => Vec::new(),
            };
            for (next, count) in behind {
                let shift = |set: &mut Set<T>| {
                    set.reaches[direction][old] -= count;
                    set.reaches[direction][new] += count;
                };
                self.change_one(next, direction, shift, &mut changed);
            }
        }
    }

    fn change_one(
        &mut self,
        at: usize,
        direction: usize,
        change: impl FnOnce(&mut Set<T>),
        changed: &mut Vec<(usize, usize, usize)>,
    ) {
        self.step();
        let Some(set) = self.sets.get_mut(&at) else { return };
        let old = set.height(direction);
        change(set);
        let new = set.height(direction);
        if old != new {
            changed.push((at, old, new));
        }
    }

    /// The ways up from a set. `known` keeps what has been found, as long as the graph stays as it is.
    pub fn paths(&mut self, set: usize, known: &mut BTreeMap<usize, Paths>) -> Paths {
        if let Some(paths) = known.get(&set) {
            return *paths;
        }
        self.step();
        let mut paths = Paths::default();
        let above: Vec<(usize, u32)> = match self.sets.get(&set) {
            Some(set) => set.links[ABOVE].iter().map(|(&set, &count)| (set, count as u32)).collect(),
            None => Vec::new(),
        };
        if above.is_empty() {
            paths[0] = 1;
        }
        // As deep as sets are in each other: no more than that.
        for (next, count) in above {
            let further = self.paths(next, known);
            for (sum, ways) in paths[1..].iter_mut().zip(further) {
                *sum = sum.saturating_add(ways.saturating_mul(count));
            }
        }
        known.insert(set, paths);
        paths
    }

    /// The set of this address and all below it, as far as they are in the graph.
    #[must_use]
    pub fn below(&mut self, set: usize) -> Vec<Arc<T>> {
        let (mut seen, mut ways, mut found) = (BTreeSet::new(), alloc::vec![set], Vec::new());
        while let Some(at) = ways.pop() {
            self.step();
            if seen.insert(at)
                && let Some(set) = self.sets.get(&at)
            {
                found.extend(set.set.upgrade());
                ways.extend(set.links[BELOW].keys());
            }
        }
        found
    }

    #[cfg_attr(not(test), expect(clippy::unused_self, reason = "the tests count"))]
    const fn step(&mut self) {
        #[cfg(test)]
        {
            self.steps += 1;
        }
    }
}
