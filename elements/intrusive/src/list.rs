//! A list with two ends.

use crate::{Link, Linked, Ref};

/// Members in a row.
#[derive(Debug)]
pub struct List<T> {
    first: Link<T>,
    last: Link<T>,
}

impl<T> Default for List<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> List<T> {
    /// Empty.
    #[must_use]
    pub const fn new() -> Self {
        Self { first: Link::new(), last: Link::new() }
    }

    /// The member at the front.
    #[inline]
    #[must_use]
    pub fn first(&self) -> Option<Ref<T>> {
        self.first.get()
    }

    /// Whether there is no member.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.first.get().is_none()
    }
}

impl<T: Linked> List<T> {
    /// Puts a member, that is in nothing, at the back.
    #[inline]
    pub fn push_back(&self, member: Ref<T>) {
        let last = self.last.get();
        member.links().before.set(last);
        member.links().after.set(None);
        match last {
            Some(last) => last.links().after.set(Some(member)),
            None => self.first.set(Some(member)),
        }
        self.last.set(Some(member));
    }

    /// Puts a member, that is in nothing, at the front.
    pub fn push_front(&self, member: Ref<T>) {
        let first = self.first.get();
        member.links().before.set(None);
        member.links().after.set(first);
        match first {
            Some(first) => first.links().before.set(Some(member)),
            None => self.last.set(Some(member)),
        }
        self.first.set(Some(member));
    }

    /// Takes the member at the front.
    #[inline]
    pub fn pop_front(&self) -> Option<Ref<T>> {
        let first = self.first.get()?;
        let after = first.links().after.get();
        self.first.set(after);
        match after {
            Some(after) => after.links().before.set(None),
            None => self.last.set(None),
        }
        Some(first)
    }

    /// Takes a member, that is in this list, out of it.
    pub fn remove(&self, member: Ref<T>) {
        let (before, after) = (member.links().before.get(), member.links().after.get());
        match before {
            Some(before) => before.links().after.set(after),
            None => self.first.set(after),
        }
        match after {
            Some(after) => after.links().before.set(before),
            None => self.last.set(before),
        }
    }

    /// The members from front to back. The list must not be changed on the way.
    #[must_use]
    pub fn iter(&self) -> Iter<T> {
        Iter { next: self.first.get() }
    }
}

/// See [`List::iter`].
#[derive(Debug)]
pub struct Iter<T> {
    next: Option<Ref<T>>,
}

impl<T: Linked> Iterator for Iter<T> {
    type Item = Ref<T>;

    fn next(&mut self) -> Option<Ref<T>> {
        let member = self.next?;
        self.next = member.links().after.get();
        Some(member)
    }
}
