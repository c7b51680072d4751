//! Locks of one file in the order of their beginnings, in a balanced tree that knows of each part how far its locks go.
//!
//! To find one that is in another's way takes O(log n), however many the one who asks has itself: a part remembers the
//! farthest end, whose it is, and the farthest end of others. Parts are joined (Blelloch, Ferizovic and Sun, "Just Join
//! for Parallel Ordered Sets", 2016), whose heights differ by one at most, as Adelson-Velsky and Landis have it.

use alloc::boxed::Box;

use super::Held;

/// A part of the tree.
pub type Part = Option<Box<Branch>>;

pub struct Branch {
    held: Held,
    before: Part,
    after: Part,
    height: u32,
    /// Of all locks, and of those for writing.
    farthest: [Farthest; 2],
}

/// How far locks go: the farthest end and whose it is, and the farthest of all others.
#[derive(Clone, Copy, Default)]
struct Farthest {
    first: Option<(u64, Owner)>,
    second: Option<(u64, Owner)>,
}

/// Whose a lock is.
type Owner = (usize, super::Kind);

/// What locks are in order of.
type Key = (u64, Owner);

const fn owner(held: &Held) -> Owner {
    (held.holder, held.kind)
}

const fn key(held: &Held) -> Key {
    (held.start, owner(held))
}

impl Farthest {
    fn add(&mut self, end: Option<(u64, Owner)>) {
        let Some((last, owner)) = end else { return };
        match self.first {
            Some((first, known)) if known == owner => self.first = Some((first.max(last), owner)),
            Some((first, _)) if first >= last => {
                if self.second.is_none_or(|(second, _)| second < last) {
                    self.second = end;
                }
            }
            first => (self.first, self.second) = (end, first),
        }
    }

    /// The farthest end that is not this owner's.
    fn of_others(&self, mine: Owner) -> Option<u64> {
        [self.first, self.second].into_iter().flatten().find(|&(_, owner)| owner != mine).map(|(last, _)| last)
    }
}

fn height(part: &Part) -> u32 {
    part.as_ref().map_or(0, |branch| branch.height)
}

/// A part of what is before a lock, it, and what is after; the heights differ by two at most.
fn branch(before: Part, held: Held, after: Part) -> Box<Branch> {
    #[cfg(test)]
    steps::count(1);
    let height = 1 + height(&before).max(height(&after));
    let end = Some((held.last, owner(&held)));
    let mut farthest = [Farthest::default(); 2];
    farthest[0].add(end);
    farthest[1].add(end.filter(|_| held.write));
    for part in [&before, &after].into_iter().flatten() {
        for (mine, theirs) in farthest.iter_mut().zip(&part.farthest) {
            mine.add(theirs.first);
            mine.add(theirs.second);
        }
    }
    Box::new(Branch { held, before, after, height, farthest })
}

fn turned_left(Branch { held, before, after, .. }: Branch) -> Box<Branch> {
    match after {
        Some(after) => branch(Some(branch(before, held, after.before)), after.held, after.after),
        None => branch(before, held, None),
    }
}

fn turned_right(Branch { held, before, after, .. }: Branch) -> Box<Branch> {
    match before {
        Some(before) => branch(before.before, before.held, Some(branch(before.after, held, after))),
        None => branch(None, held, after),
    }
}

/// All that is in two parts, and a lock that stands between them.
pub fn join(before: Part, held: Held, after: Part) -> Box<Branch> {
    match (before, after) {
        (Some(before), after) if before.height > height(&after) + 1 => {
            let Branch { held: first, before, after: rest, .. } = *before;
            let rest = join(rest, held, after);
            let rest = if rest.height > height(&before) + 1 && height(&rest.before) > height(&rest.after) {
                turned_right(*rest)
            } else {
                rest
            };
            let leans = rest.height > height(&before) + 1;
            let whole = branch(before, first, Some(rest));
            if leans { turned_left(*whole) } else { whole }
        }
        (before, Some(after)) if after.height > height(&before) + 1 => {
            let Branch { held: last, before: rest, after, .. } = *after;
            let rest = join(before, held, rest);
            let rest = if rest.height > height(&after) + 1 && height(&rest.after) > height(&rest.before) {
                turned_left(*rest)
            } else {
                rest
            };
            let leans = rest.height > height(&after) + 1;
            let whole = branch(Some(rest), last, after);
            if leans { turned_right(*whole) } else { whole }
        }
        (before, after) => branch(before, held, after),
    }
}

/// What is before a key, the lock with that key, and what is after.
fn split(part: Part, at: Key) -> (Part, Option<Held>, Part) {
    let Some(part) = part else { return (None, None, None) };
    let Branch { held, before, after, .. } = *part;
    match at.cmp(&key(&held)) {
        core::cmp::Ordering::Less => {
            let (first, found, rest) = split(before, at);
            (first, found, Some(join(rest, held, after)))
        }
        core::cmp::Ordering::Greater => {
            let (rest, found, last) = split(after, at);
            (Some(join(before, held, rest)), found, last)
        }
        core::cmp::Ordering::Equal => (before, Some(held), after),
    }
}

/// A part without its last lock, and that.
fn without_last(Branch { held, before, after, .. }: Branch) -> (Part, Held) {
    match after {
        None => (before, held),
        Some(after) => {
            let (rest, last) = without_last(*after);
            (Some(join(before, held, rest)), last)
        }
    }
}

/// Puts a lock in.
pub fn insert(part: &mut Part, held: Held) {
    let (before, _, after) = split(part.take(), key(&held));
    *part = Some(join(before, held, after));
}

/// Takes the lock out that has this one's beginning and owner.
pub fn remove(part: &mut Part, held: &Held) {
    let (before, _, after) = split(part.take(), key(held));
    *part = match before {
        None => after,
        Some(before) => {
            let (before, last) = without_last(*before);
            Some(join(before, last, after))
        }
    };
}

/// The first lock that is in the way of `wanted`.
pub fn conflict<'a>(part: &'a Part, wanted: &Held) -> Option<&'a Held> {
    let mut at = part;
    let reaches = |part: &Part| {
        let farthest =
            part.as_ref().and_then(|part| part.farthest[usize::from(!wanted.write)].of_others(owner(wanted)));
        farthest.is_some_and(|last| last >= wanted.start)
    };
    while let Some(branch) = at {
        #[cfg(test)]
        steps::count(1);
        if reaches(&branch.before) {
            // If none of these is in the way, they begin behind it, and all after them do.
            at = &branch.before;
        } else if branch.held.start > wanted.last {
            return None;
        } else if branch.held.conflicts(wanted) {
            return Some(&branch.held);
        } else {
            at = &branch.after;
        }
    }
    None
}

/// How many levels there are.
#[cfg(test)]
pub fn depth(part: &Part) -> u32 {
    height(part)
}
