//! A search tree: a treap (Aragon and Seidel, "Randomized search trees", 1989).
//!
//! Members are in order from left to right, and each one's rank is above those of its subtrees. Ranks are as if at
//! random (a hash of the address), so the tree is as deep as one that was built in random order: some 2 log2 n. It may
//! be augmented: each member can keep a word about the subtree below it.

use crate::{Link, Linked, Ref};

/// A member of a tree.
pub trait Ordered: Linked {
    /// Whether it stands before the other. Where neither does, the one that came first stands first.
    fn precedes(&self, other: &Self) -> bool;

    /// Computes anew what the member keeps about its subtree, from itself and the two below; whether that changed.
    fn refresh(&self, before: Option<Ref<Self>>, after: Option<Ref<Self>>) -> bool {
        let _ = (before, after);
        false
    }
}

/// Members in order.
#[derive(Debug)]
pub struct Tree<T> {
    root: Link<T>,
    first: Link<T>,
}

impl<T> Default for Tree<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> Tree<T> {
    /// Empty.
    #[must_use]
    pub const fn new() -> Self {
        Self { root: Link::new(), first: Link::new() }
    }

    /// The first member, in constant time.
    #[inline]
    #[must_use]
    pub fn first(&self) -> Option<Ref<T>> {
        self.first.get()
    }

    /// The member above all others, from which [`below`] leads to them.
    #[must_use]
    pub fn root(&self) -> Option<Ref<T>> {
        self.root.get()
    }
}

/// The roots of the subtrees before and after a member of a tree.
#[must_use]
pub fn below<T: Linked>(member: Ref<T>) -> (Option<Ref<T>>, Option<Ref<T>>) {
    (member.links().before.get(), member.links().after.get())
}

/// The member after another.
fn following<T: Linked>(member: Ref<T>) -> Option<Ref<T>> {
    if let Some(mut next) = member.links().after.get() {
        while let Some(before) = next.links().before.get() {
            next = before;
        }
        return Some(next);
    }
    let mut member = member;
    loop {
        let above = member.links().above.get()?;
        if above.links().before.get() == Some(member) {
            return Some(above);
        }
        member = above;
    }
}

impl<T: Ordered> Tree<T> {
    /// The members in order. The tree must not be changed on the way.
    pub fn iter(&self) -> impl Iterator<Item = Ref<T>> + use<T> {
        core::iter::successors(self.first.get(), |member| following(*member))
    }

    /// Puts a member, that is in nothing, in its place.
    pub fn insert(&self, member: Ref<T>) {
        if self.root.get().is_none() {
            return self.plant(member);
        }
        let (above, leftmost) = self.descend(member);
        member.links().before.set(None);
        member.links().after.set(None);
        member.links().above.set(above);
        match above {
            None => self.root.set(Some(member)),
            Some(above) if member.precedes(&above) => above.links().before.set(Some(member)),
            Some(above) => above.links().after.set(Some(member)),
        }
        if leftmost {
            self.first.set(Some(member));
        }
        member.refresh(None, None);
        while let Some(above) = member.links().above.get()
            && member.rank() > above.rank()
        {
            self.raise(member, above);
        }
        Self::refresh_upwards(member.links().above.get());
    }

    /// Puts a member in a tree that has none.
    fn plant(&self, member: Ref<T>) {
        member.links().before.set(None);
        member.links().after.set(None);
        member.links().above.set(None);
        self.root.set(Some(member));
        self.first.set(Some(member));
        member.refresh(None, None);
    }

    /// The leaf that a member goes below, and whether it goes before all others.
    fn descend(&self, member: Ref<T>) -> (Option<Ref<T>>, bool) {
        let (mut above, mut leftmost) = (None, true);
        let mut next = self.root.get();
        while let Some(here) = next {
            above = next;
            next = if member.precedes(&here) {
                here.links().before.get()
            } else {
                leftmost = false;
                here.links().after.get()
            };
        }
        (above, leftmost)
    }

    /// Takes a member, that is in this tree, out of it.
    pub fn remove(&self, member: Ref<T>) {
        if self.root.get() == Some(member) && below(member) == (None, None) {
            self.root.set(None);
            return self.first.set(None);
        }
        if self.first.get() == Some(member) {
            self.first.set(following(member));
        }
        let rest = loop {
            match below(member) {
                (Some(before), Some(after)) if before.rank() > after.rank() => self.raise(before, member),
                (Some(_), Some(after)) => self.raise(after, member),
                (before, after) => break before.or(after),
            }
        };
        let above = member.links().above.get();
        self.replace(member, above, rest);
        Self::refresh_upwards(above);
    }

    /// Turns the tree so that `member` takes the place of `above`, its parent, which goes below it.
    fn raise(&self, member: Ref<T>, above: Ref<T>) {
        let top = above.links().above.get();
        let moved = if above.links().before.get() == Some(member) {
            let moved = member.links().after.get();
            above.links().before.set(moved);
            member.links().after.set(Some(above));
            moved
        } else {
            let moved = member.links().before.get();
            above.links().after.set(moved);
            member.links().before.set(Some(above));
            moved
        };
        if let Some(moved) = moved {
            moved.links().above.set(Some(above));
        }
        self.replace(above, top, Some(member));
        above.links().above.set(Some(member));
        Self::refresh(above);
        Self::refresh(member);
    }

    /// Hangs `new` below `above`, or at the root, where `old` was.
    fn replace(&self, old: Ref<T>, above: Option<Ref<T>>, new: Option<Ref<T>>) {
        match above {
            None => self.root.set(new),
            Some(above) if above.links().before.get() == Some(old) => above.links().before.set(new),
            Some(above) => above.links().after.set(new),
        }
        if let Some(new) = new {
            new.links().above.set(above);
        }
    }

    #[inline(never)]
    fn refresh(member: Ref<T>) -> bool {
        let (before, after) = below(member);
        member.refresh(before, after)
    }

    #[inline]
    fn refresh_upwards(mut from: Option<Ref<T>>) {
        while let Some(member) = from
            && Self::refresh(member)
        {
            from = member.links().above.get();
        }
    }
}
