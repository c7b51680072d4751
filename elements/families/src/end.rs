//! The end of a process: who is told, who adopts its children, which groups are orphaned.

use alloc::{collections::BTreeSet, vec::Vec};

use super::{Families, News, Number};

/// What follows from a process' end.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Ended {
    /// Its parent and the signal for it; `None` if nobody wants to know, and nothing is kept of the process.
    pub parent: Option<(Number, u8)>,
    /// Its children.
    pub children: Vec<Bereaved>,
    /// Groups that have become orphaned with stopped processes in them: each is to get SIGHUP and SIGCONT.
    pub hung_up: Vec<Number>,
}

/// A child whose parent has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bereaved {
    /// The child.
    pub number: Number,
    /// Its parent from now on.
    pub parent: Number,
    /// How it had ended before, if it had, and the signal by which its parent from now on is to be told. Without one,
    /// nothing is kept of it.
    pub ended: Option<(News, Option<u8>)>,
}

impl Families {
    /// A process ends as `news` says. Answers `None` if it is not there.
    pub fn end(&mut self, number: Number, news: News) -> Option<Ended> {
        self.set_stopped(number, None);
        // Most often nobody is stopped, and groups may be large.
        let groups = if self.stopped == 0 { BTreeSet::new() } else { self.groups_around(number) };
        let with_stopped = groups.into_iter().filter(|&group| self.has_stopped(group));
        let before: Vec<Number> = with_stopped.filter(|&group| !self.is_orphaned(group, 0)).collect();
        let adopter = self.adopter(number);
        let member = self.members.get_mut(&number)?;
        member.ended = Some(news);
        let children = core::mem::take(&mut member.children);
        let children = children.into_iter().map(|child| self.adopt(child, adopter)).collect();
        let hung_up = before.into_iter().filter(|&group| self.is_orphaned(group, number)).collect();
        let member = self.members.get(&number)?;
        let parent = (!member.unwanted).then_some((member.parent, member.signal));
        if parent.is_none() {
            self.forget(number);
        }
        Some(Ended { parent, children, hung_up })
    }

    /// Nothing is kept of a process that has ended any more: it was waited for, or its parent does not want to know.
    pub fn forget(&mut self, number: Number) {
        if let Some(member) = self.remove(number)
            && let Some(parent) = self.members.get_mut(&member.parent)
        {
            parent.children.remove(&number);
        }
    }

    /// Its own group and its children's.
    fn groups_around(&self, number: Number) -> BTreeSet<Number> {
        self.children(number).chain([number]).filter_map(|number| self.group(number)).collect()
    }

    /// Who adopts the children of a process: the next of its ancestors that wants to, else the first process.
    fn adopter(&self, number: Number) -> Number {
        let above = |number| self.parent(number).filter(|&parent| parent != 0);
        let mut ancestors = core::iter::successors(above(number), |&number| above(number));
        let wants =
            |number: &Number| self.members.get(number).is_some_and(|member| member.adopts && member.ended.is_none());
        ancestors.find(wants).unwrap_or(self.first)
    }

    fn adopt(&mut self, child: Number, adopter: Number) -> Bereaved {
        let wanted = self.adopts(adopter);
        let mut ended = None;
        if let Some(member) = self.members.get_mut(&child) {
            (member.parent, member.unwanted) = (adopter, !wanted);
            ended = member.ended.map(|news| (news, wanted.then_some(member.signal)));
        }
        if matches!(ended, Some((_, None))) {
            self.remove(child);
        } else if let Some(parent) = self.members.get_mut(&adopter) {
            parent.children.insert(child);
        }
        Bereaved { number: child, parent: adopter, ended }
    }
}
