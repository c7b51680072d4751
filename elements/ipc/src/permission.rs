//! Whose an object is, and who may do what with it (sysvipc(7), `ipcperms` of Linux).

use crate::Error;

/// One who asks.
#[derive(Clone, Copy, Debug, Default)]
pub struct Caller<'a> {
    /// His process.
    pub process: u32,
    /// The user whose rights count.
    pub user: u32,
    /// The group that new objects get.
    pub group: u32,
    /// The group whose rights count for files, which is asked here too.
    pub file_group: u32,
    /// Further groups.
    pub groups: &'a [u32],
    /// Modes do not bind him (CAP_IPC_OWNER).
    pub passes: bool,
    /// He may do what owners may (CAP_SYS_ADMIN).
    pub administers: bool,
}

/// Read: a bit of each digit of a mode.
pub const READ: u32 = 0o444;
/// Change: as [`READ`].
pub const WRITE: u32 = 0o222;

/// Bits of a mode that say who may do what.
const MODE: u32 = 0o777;

/// Key, owner and mode (`struct ipc_perm`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Permission {
    /// The key it was made with; 0 for none.
    pub key: i32,
    /// Its owner.
    pub user: u32,
    /// His group.
    pub group: u32,
    /// Who made it.
    pub creator: u32,
    /// His group.
    pub creator_group: u32,
    /// Who may do what, and what kinds of objects mark beside it.
    pub mode: u32,
}

impl Permission {
    /// An object that `caller` makes.
    #[must_use]
    pub const fn new(key: i32, mode: u32, caller: &Caller<'_>) -> Self {
        let (user, group) = (caller.user, caller.group);
        Self { key, user, group, creator: user, creator_group: group, mode: mode & MODE }
    }

    /// [`Error::Denied`] unless the mode gives `caller` what he wants: bits of any digit count for his.
    pub fn check(&self, caller: &Caller<'_>, wanted: u32) -> Result<(), Error> {
        let wanted = wanted >> 6 | wanted >> 3 | wanted;
        let is_in = |group: u32| caller.file_group == group || caller.groups.contains(&group);
        let granted = if caller.user == self.creator || caller.user == self.user {
            self.mode >> 6
        } else if is_in(self.creator_group) || is_in(self.group) {
            self.mode >> 3
        } else {
            self.mode
        };
        if wanted & !granted & 7 == 0 || caller.passes { Ok(()) } else { Err(Error::Denied) }
    }

    /// [`Error::NotPermitted`] unless `caller` may change or remove the object.
    pub const fn check_owner(&self, caller: &Caller<'_>) -> Result<(), Error> {
        let owns = caller.user == self.creator || caller.user == self.user;
        if owns || caller.administers { Ok(()) } else { Err(Error::NotPermitted) }
    }

    /// Gives it to others (IPC_SET).
    pub const fn set(&mut self, user: u32, group: u32, mode: u32) {
        (self.user, self.group) = (user, group);
        self.mode = self.mode & !MODE | mode & MODE;
    }
}
