//! Who a process is, and what that lets it do: credentials(7) and capabilities(7).
//!
//! Linux' rules alone: which ids a process may take, what becomes of its capabilities then and when it becomes another
//! program, and what it may give up. Nothing outside the machine depends on them.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod capabilities;
mod change;
mod ids;
mod login;
mod members;
mod program;
mod secure;

pub use capabilities::{Capabilities, Capability, Set};
pub use ids::Ids;
pub use login::Login;
pub use members::{Members, Several};
pub use program::SetIds;
pub use secure::{KEEP_CAPABILITIES, SecureBits};

use alloc::vec::Vec;

/// Someone who may not have what he asked for (EPERM).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotPermitted;

/// Users, groups and capabilities.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identity {
    /// Real, effective and saved user, and that for file access.
    pub user: Ids,
    /// The same for the group.
    pub group: Ids,
    /// Supplementary groups.
    pub groups: Vec<u32>,
    /// What it may do beyond its ids.
    pub capabilities: Capabilities,
    /// How these follow the ids.
    pub secure: SecureBits,
    /// It never gains by what it runs (PR_SET_NO_NEW_PRIVS).
    pub gains_nothing: bool,
    /// The login that it began in; services of the machine itself have none.
    pub login: Option<Login>,
}

impl Identity {
    /// A process of this user and group: root has all capabilities, others none.
    #[must_use]
    pub fn new(user: u32, group: u32) -> Self {
        let capabilities = Capabilities::of(user == 0);
        Self { user: Ids::new(user), group: Ids::new(group), capabilities, ..Self::default() }
    }

    /// Whether it may do what this capability is for.
    #[must_use]
    pub const fn may(&self, capability: Capability) -> bool {
        self.capabilities.effective.has(capability)
    }
}

#[cfg(test)]
mod tests;
