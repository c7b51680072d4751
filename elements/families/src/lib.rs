//! What processes are to each other: parents and children, groups and sessions (credentials(7)), and what a parent may
//! wait for (wait(2)).
//!
//! The rules alone, over numbers: who is told, who sleeps and what a process has is the door's.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod end;
mod groups;
mod wait;

use alloc::collections::{BTreeMap, BTreeSet};

pub use end::{Bereaved, Ended};
pub use groups::NotAllowed;
pub use wait::{Clones, Found, News, NoChild, Wanted, Who};

#[cfg(test)]
mod tests;

/// A process' number (pid).
pub type Number = u32;

/// All processes that live, or have ended and were not waited for.
#[derive(Debug, Default)]
pub struct Families {
    members: BTreeMap<Number, Member>,
    /// The members of each group, those that have ended too.
    groups: BTreeMap<Number, BTreeSet<Number>>,
    /// How many are stopped.
    stopped: usize,
    /// The number of the first process, which adopts whom nobody else does.
    first: Number,
}

/// What is kept of a process.
#[derive(Debug)]
struct Member {
    parent: Number,
    children: BTreeSet<Number>,
    group: Number,
    session: Number,
    /// What its end sends to its parent; 0 for nothing.
    signal: u8,
    /// How it has ended.
    ended: Option<News>,
    /// What stopped it, and whether a parent has been told by wait(2).
    stopped: Option<(u8, bool)>,
    /// It goes on after a stop, which no parent has been told.
    continued: bool,
    /// It adopts its descendants' children (PR_SET_CHILD_SUBREAPER); the first process: it wants to wait for them.
    adopts: bool,
    /// It has become another program since it was made.
    executed: bool,
    /// The first process has it without having made it, and does not wait for it.
    unwanted: bool,
}

impl Families {
    /// Nobody.
    #[must_use]
    pub const fn new() -> Self {
        Self { members: BTreeMap::new(), groups: BTreeMap::new(), stopped: 0, first: 0 }
    }

    /// The first process, which leads a group and a session.
    pub fn begin(&mut self, first: Number) {
        self.first = first;
        self.insert(first, Member::new(0, (first, first), 0));
    }

    /// A process that `maker` makes, or its parent if `sibling` (CLONE_PARENT); its end sends `signal`. It is of its
    /// maker's group and session. `None` if the maker is not there. Answers the parent.
    pub fn add(&mut self, number: Number, maker: Number, sibling: bool, signal: u8) -> Option<Number> {
        let by = self.members.get(&maker)?;
        let (parent, signal) = if sibling { (by.parent, by.signal) } else { (maker, signal) };
        let groups = (by.group, by.session);
        self.members.get_mut(&parent)?.children.insert(number);
        self.insert(number, Member::new(parent, groups, signal));
        Some(parent)
    }

    fn insert(&mut self, number: Number, member: Member) {
        self.groups.entry(member.group).or_default().insert(number);
        self.members.insert(number, member);
    }

    fn remove(&mut self, number: Number) -> Option<Member> {
        let member = self.members.remove(&number)?;
        self.leave_group(number, member.group);
        Some(member)
    }

    fn leave_group(&mut self, number: Number, group: Number) {
        if let Some(members) = self.groups.get_mut(&group) {
            members.remove(&number);
            if members.is_empty() {
                self.groups.remove(&group);
            }
        }
    }

    /// Whether a process is known by this number, alive or waited for.
    #[must_use]
    pub fn has(&self, number: Number) -> bool {
        self.members.contains_key(&number)
    }

    /// Whether a process has ended and was not waited for.
    #[must_use]
    pub fn has_ended(&self, number: Number) -> bool {
        self.members.get(&number).is_some_and(|member| member.ended.is_some())
    }

    /// Whether a signal has stopped it, and it has not gone on.
    #[must_use]
    pub fn is_stopped(&self, number: Number) -> bool {
        self.members.get(&number).is_some_and(|member| member.stopped.is_some())
    }

    /// Its parent, 0 for the first.
    #[must_use]
    pub fn parent(&self, number: Number) -> Option<Number> {
        self.members.get(&number).map(|member| member.parent)
    }

    /// Its children, in the order of their numbers, those that have ended too.
    pub fn children(&self, number: Number) -> impl Iterator<Item = Number> {
        self.members.get(&number).into_iter().flat_map(|member| member.children.iter().copied())
    }

    /// It became another program: its end sends `signal` now, and its parent puts it into no group any more.
    pub fn execute(&mut self, number: Number, signal: u8) {
        if let Some(member) = self.members.get_mut(&number) {
            member.executed = true;
            if member.parent != 0 {
                member.signal = signal;
            }
        }
    }

    /// Sets whether it adopts its descendants' children.
    pub fn set_adopts(&mut self, number: Number, adopts: bool) {
        if let Some(member) = self.members.get_mut(&number) {
            member.adopts = adopts;
        }
    }

    /// What [`Families::set_adopts`] said last.
    #[must_use]
    pub fn adopts(&self, number: Number) -> bool {
        self.members.get(&number).is_some_and(|member| member.adopts)
    }
}

impl Member {
    const fn new(parent: Number, (group, session): (Number, Number), signal: u8) -> Self {
        Self {
            parent,
            children: BTreeSet::new(),
            group,
            session,
            signal,
            ended: None,
            stopped: None,
            continued: false,
            adopts: false,
            executed: false,
            unwanted: false,
        }
    }
}
