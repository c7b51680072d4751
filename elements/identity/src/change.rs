//! What becomes of capabilities when users change.

use crate::{Capability, Identity, Ids, NotPermitted, Set};

impl Identity {
    /// Changes users as `change` does, which is told whether any may be had; capabilities follow.
    pub fn change_user(
        &mut self,
        change: impl FnOnce(&mut Ids, bool) -> Result<(), NotPermitted>,
    ) -> Result<(), NotPermitted> {
        let (old, privileged) = (self.user, self.may(Capability::Setuid));
        change(&mut self.user, privileged)?;
        if !self.secure.leaves_capabilities() {
            self.follow(old);
        }
        Ok(())
    }

    /// The users were `old` (`cap_emulate_setxuid` of Linux).
    const fn follow(&mut self, old: Ids) {
        let sets = &mut self.capabilities;
        if old.has_root() && !self.user.has_root() {
            if !self.secure.keeps_capabilities() {
                (sets.permitted, sets.effective) = (Set::NONE, Set::NONE);
            }
            sets.ambient = Set::NONE;
        }
        match (old.effective, self.user.effective) {
            (0, 1..) => sets.effective = Set::NONE,
            (1.., 0) => sets.effective = sets.permitted,
            _ => {}
        }
    }

    /// setfsuid(2); answers the user before.
    pub fn set_file_user(&mut self, user: u32) -> u32 {
        let old = self.user.set_file(user, self.may(Capability::Setuid));
        let sets = &mut self.capabilities;
        if !self.secure.leaves_capabilities() {
            match (old, self.user.file) {
                (0, 1..) => sets.effective = sets.effective.without(Set::FILES),
                (1.., 0) => sets.effective = sets.effective.and(sets.permitted.only(Set::FILES)),
                _ => {}
            }
        }
        old
    }

    /// Changes groups as `change` does, which is told whether any may be had.
    pub fn change_group<R>(&mut self, change: impl FnOnce(&mut Ids, bool) -> R) -> R {
        let privileged = self.may(Capability::Setgid);
        change(&mut self.group, privileged)
    }

    /// PR_SET_SECUREBITS.
    pub fn set_secure(&mut self, bits: u32) -> Result<(), NotPermitted> {
        if !self.may(Capability::Setpcap) {
            return Err(NotPermitted);
        }
        self.secure.set(bits)
    }

    /// The capabilities that count for the real user (access(2)): all that are permitted if that is root, else none.
    #[must_use]
    pub const fn real_capabilities(&self) -> Set {
        match self.user.real {
            _ if self.secure.leaves_capabilities() => self.capabilities.effective,
            0 => self.capabilities.permitted,
            _ => Set::NONE,
        }
    }
}
