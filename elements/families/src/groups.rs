//! Groups and sessions: setpgid(2), setsid(2).

use super::{Families, Member, Number};

/// Why a process is not put into a group, or begins no session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotAllowed {
    /// There is no such process, or it is no child of the caller's.
    NoProcess,
    /// The child has become another program.
    Executed,
    /// It leads a session or a group, or is of another session, or there is no such group in it.
    Refused,
}

impl Families {
    /// The group of a process.
    #[must_use]
    pub fn group(&self, number: Number) -> Option<Number> {
        self.members.get(&number).map(|member| member.group)
    }

    /// The session of a process.
    #[must_use]
    pub fn session(&self, number: Number) -> Option<Number> {
        self.members.get(&number).map(|member| member.session)
    }

    /// The living processes of a group.
    pub fn group_members(&self, group: Number) -> impl Iterator<Item = Number> {
        self.groups.get(&group).into_iter().flatten().copied().filter(|&number| self.lives(number))
    }

    /// The living processes of a session.
    pub fn session_members(&self, session: Number) -> impl Iterator<Item = Number> {
        let living = self.members.iter().filter(|(_, member)| member.ended.is_none());
        living.filter(move |(_, member)| member.session == session).map(|(&number, _)| number)
    }

    /// The session of a group; `None` if nobody is in the group.
    #[must_use]
    pub fn session_of_group(&self, group: Number) -> Option<Number> {
        self.session(*self.groups.get(&group)?.first()?)
    }

    fn lives(&self, number: Number) -> bool {
        self.members.get(&number).is_some_and(|member| member.ended.is_none())
    }

    fn change_group(&mut self, number: Number, group: Number) {
        if let Some(member) = self.members.get_mut(&number) {
            let old = core::mem::replace(&mut member.group, group);
            self.leave_group(number, old);
            self.groups.entry(group).or_default().insert(number);
        }
    }

    /// Puts `number`, which is the caller or a child of its, into `group`; into one of its own if they are the same.
    pub fn set_group(&mut self, caller: Number, number: Number, group: Number) -> Result<(), NotAllowed> {
        let session = self.session(caller).ok_or(NotAllowed::NoProcess)?;
        let member = self.members.get(&number).filter(|member| member.ended.is_none()).ok_or(NotAllowed::NoProcess)?;
        if number != caller {
            if member.parent != caller {
                return Err(NotAllowed::NoProcess);
            }
            if member.session != session {
                return Err(NotAllowed::Refused);
            }
            if member.executed {
                return Err(NotAllowed::Executed);
            }
        }
        if member.session == number || group != number && self.session_of_group(group) != Some(session) {
            return Err(NotAllowed::Refused);
        }
        self.change_group(number, group);
        Ok(())
    }

    /// `number` leads a new session and a new group; not if there is a group of this number.
    pub fn set_session(&mut self, number: Number) -> Result<(), NotAllowed> {
        if self.groups.contains_key(&number) {
            return Err(NotAllowed::Refused);
        }
        self.members.get_mut(&number).ok_or(NotAllowed::NoProcess)?.session = number;
        self.change_group(number, number);
        Ok(())
    }

    /// Whether nobody is left who could have a group's stopped processes go on: none of it has a parent in another
    /// group of the same session (POSIX, "orphaned process group"). `without` is left out, as if it had ended.
    #[must_use]
    pub fn is_orphaned(&self, group: Number, without: Number) -> bool {
        let is_minded = |member: &Member| {
            let parent = self.members.get(&member.parent);
            !member.unwanted
                && member.parent != without
                && parent.is_some_and(|parent| parent.group != group && parent.session == member.session)
        };
        let others = self.group_members(group).filter(|&number| number != without);
        !others.filter_map(|number| self.members.get(&number)).any(is_minded)
    }

    /// Whether a process of this group is stopped.
    pub(super) fn has_stopped(&self, group: Number) -> bool {
        self.group_members(group).any(|number| self.is_stopped(number))
    }
}
