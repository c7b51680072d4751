//! The five sets of capabilities, and what may be done with them by hand.

use crate::NotPermitted;

/// What somebody may do (capabilities(7)), those that something here asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Capability {
    /// Give files to others.
    Chown = 0,
    /// Read, write and execute whatever a mode says.
    DacOverride = 1,
    /// Read files and search directories whatever a mode says.
    DacReadSearch = 2,
    /// Do what a file's owner may.
    Fowner = 3,
    /// Keep set-user-ID and set-group-ID bits.
    Fsetid = 4,
    /// Send signals to other users' processes.
    Kill = 5,
    /// Become another group.
    Setgid = 6,
    /// Become another user.
    Setuid = 7,
    /// Change what may be inherited and gained.
    Setpcap = 8,
    /// Bind ports below 1024.
    NetBindService = 10,
    /// Administer the network.
    NetAdmin = 12,
    /// Have raw sockets.
    NetRaw = 13,
    /// Lock memory.
    IpcLock = 14,
    /// Pass by the modes of System V objects.
    IpcOwner = 15,
    /// Have another root.
    SysChroot = 18,
    /// Look into other processes.
    SysPtrace = 19,
    /// Administer the system.
    SysAdmin = 21,
    /// Be less nice, and have priority.
    SysNice = 23,
    /// Pass by limits.
    SysResource = 24,
    /// Make devices.
    Mknod = 27,
    /// Say anew who logged in.
    AuditControl = 30,
}

/// The highest (`/proc/sys/kernel/cap_last_cap`).
const LAST: u32 = 40;

/// A set of capabilities, by their numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Set(pub u64);

impl Set {
    /// None.
    pub const NONE: Self = Self(0);
    /// All that Linux has.
    pub const ALL: Self = Self((1 << (LAST + 1)) - 1);
    /// Those that follow the user for file access: chown, dac_override, dac_read_search, fowner, fsetid,
    /// linux_immutable, mknod, mac_override.
    pub const FILES: Self = Self(0x1f | 1 << 9 | 1 << 27 | 1 << 32);

    /// The one of that number; `None` if there is none.
    #[must_use]
    pub fn of(number: usize) -> Option<Self> {
        u32::try_from(number).ok().filter(|&number| number <= LAST).map(|number| Self(1 << number))
    }

    /// Whether it is in the set.
    #[must_use]
    pub const fn has(self, capability: Capability) -> bool {
        self.0 >> capability as u8 & 1 != 0
    }

    /// Whether all of `other` are in the set.
    #[must_use]
    pub const fn holds(self, other: Self) -> bool {
        other.0 & !self.0 == 0
    }

    /// Those of either.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Those of both.
    #[must_use]
    pub const fn only(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Those that are not in `other`.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

/// The five sets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Capabilities {
    /// Those that it may have in effect.
    pub permitted: Set,
    /// Those that count.
    pub effective: Set,
    /// Those that programs may keep that are marked for it.
    pub inheritable: Set,
    /// Those that may ever be gained by a program.
    pub bounding: Set,
    /// Those that any program keeps.
    pub ambient: Set,
}

impl Capabilities {
    /// All of them, for root, or none. Any may be gained.
    #[must_use]
    pub const fn of(root: bool) -> Self {
        let set = if root { Set::ALL } else { Set::NONE };
        Self { permitted: set, effective: set, inheritable: Set::NONE, bounding: Set::ALL, ambient: Set::NONE }
    }

    /// capset(2).
    pub const fn set(&mut self, effective: Set, permitted: Set, inheritable: Set) -> Result<(), NotPermitted> {
        let [effective, permitted, inheritable] =
            [effective.only(Set::ALL), permitted.only(Set::ALL), inheritable.only(Set::ALL)];
        let free = self.effective.has(Capability::Setpcap);
        let may_inherit = (free || self.inheritable.and(self.permitted).holds(inheritable))
            && self.inheritable.and(self.bounding).holds(inheritable);
        if !may_inherit || !self.permitted.holds(permitted) || !permitted.holds(effective) {
            return Err(NotPermitted);
        }
        (self.effective, self.permitted, self.inheritable) = (effective, permitted, inheritable);
        self.ambient = self.ambient.only(permitted).only(inheritable);
        Ok(())
    }

    /// PR_CAPBSET_DROP: never again gained by a program.
    pub const fn drop_bounding(&mut self, capability: Set) -> Result<(), NotPermitted> {
        if !self.effective.has(Capability::Setpcap) {
            return Err(NotPermitted);
        }
        self.bounding = self.bounding.without(capability);
        Ok(())
    }

    /// PR_CAP_AMBIENT_RAISE, unless `forbidden`: only what is permitted and inheritable.
    pub const fn raise_ambient(&mut self, capability: Set, forbidden: bool) -> Result<(), NotPermitted> {
        if forbidden || !self.permitted.only(self.inheritable).holds(capability) {
            return Err(NotPermitted);
        }
        self.ambient = self.ambient.and(capability);
        Ok(())
    }
}
