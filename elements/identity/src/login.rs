//! Who logged in, whoever a process has become since: what PAM writes to `/proc/self/loginuid` (pam_loginuid(8)).

use core::num::NonZeroU32;

use crate::{Capability, Identity, NotPermitted};

/// A login. All that begins in it has it, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Login {
    /// Who logged in.
    pub user: u32,
    /// Which login it was, counted from 1.
    pub session: NonZeroU32,
}

impl Identity {
    /// Says to which login it belongs, or that it belongs to none. The first may be said by anybody.
    pub fn set_login(&mut self, login: Option<Login>) -> Result<(), NotPermitted> {
        if self.login.is_some() && !self.may(Capability::AuditControl) {
            return Err(NotPermitted);
        }
        self.login = login;
        Ok(())
    }
}
