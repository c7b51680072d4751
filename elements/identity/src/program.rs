//! What becomes of a process' ids and capabilities when it becomes another program: execve(2), and "Transformation of
//! capabilities during execve()" in capabilities(7).

use crate::{Capability, Identity, Set};

/// Set-user-ID, set-group-ID, and execution by the group (inode(7)).
const SET_USER: u32 = 0o4000;
const SET_GROUP: u32 = 0o2000;
const BY_GROUP: u32 = 0o010;

/// Whose rights a program's file gives to those who execute it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SetIds {
    /// The user.
    pub user: Option<u32>,
    /// The group.
    pub group: Option<u32>,
}

impl SetIds {
    /// Of a file with this mode that belongs to this user and this group. Without the group's right to execute, the bit
    /// once stood for something else (mandatory locks).
    #[must_use]
    pub const fn of(mode: u32, user: u32, group: u32) -> Self {
        let by_group = SET_GROUP | BY_GROUP;
        Self {
            user: if mode & SET_USER != 0 { Some(user) } else { None },
            group: if mode & by_group == by_group { Some(group) } else { None },
        }
    }
}

impl Identity {
    /// It becomes another program, of a file without capabilities of its own. Answers whether that program is to trust
    /// nothing of who started it (AT_SECURE of getauxval(3)). `is_shared`: another process shares its root and its
    /// working directory, and could lead the program astray.
    pub const fn execute(&mut self, file: SetIds, is_shared: bool) -> bool {
        let (old, may_set) = (self.capabilities.permitted, self.may(Capability::Setuid));
        if !self.gains_nothing {
            self.take(file);
        }
        let is_root = !self.secure.root_is_nobody() && self.user.effective == 0;
        let mut gained = self.roots();
        let is_set = self.user.effective != self.user.real || self.group.effective != self.group.real;
        if (self.gains_nothing || is_shared) && (is_set || !old.holds(gained)) {
            if self.gains_nothing || !may_set {
                (self.user.effective, self.group.effective) = (self.user.real, self.group.real);
            }
            gained = gained.only(old);
        }
        self.user.execute();
        self.group.execute();
        let sets = &mut self.capabilities;
        if is_set {
            sets.ambient = Set::NONE;
        }
        sets.permitted = gained.and(sets.ambient);
        sets.effective = if is_root { sets.permitted } else { sets.ambient };
        self.secure.forget_keep();
        is_set || self.user.real != 0 && (is_root || !sets.ambient.holds(sets.permitted))
    }

    /// Its effective ids are those of the file's.
    const fn take(&mut self, file: SetIds) {
        if let Some(user) = file.user {
            self.user.effective = user;
        }
        if let Some(group) = file.group {
            self.group.effective = group;
        }
    }

    /// What root gains, whose the user is really or in effect.
    const fn roots(&self) -> Set {
        let is_root = self.user.effective == 0 || self.user.real == 0;
        let sets = &self.capabilities;
        if is_root && !self.secure.root_is_nobody() { sets.bounding.and(sets.inheritable) } else { Set::NONE }
    }
}
