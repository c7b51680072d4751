//! Who asks, and whether a mode allows it (path_resolution(7), capabilities(7)).

use alloc::vec::Vec;

use crate::{FileError, Kind, Metadata};

/// Someone with rights to files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Credentials {
    /// User; 0 may nearly everything.
    pub user: u32,
    /// Group.
    pub group: u32,
    /// Further groups.
    pub groups: Vec<u32>,
}

/// What someone wants to do: bits as in a mode's last digit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rights(pub u32);

impl Rights {
    /// Read a file, list a directory.
    pub const READ: Self = Self(4);
    /// Write a file, change a directory's entries.
    pub const WRITE: Self = Self(2);
    /// Run a file, pass through a directory.
    pub const EXECUTE: Self = Self(1);

    /// Both.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl Credentials {
    /// Whether this is the superuser.
    #[must_use]
    pub const fn is_root(&self) -> bool {
        self.user == 0
    }

    /// Whether this one is in `group`.
    #[must_use]
    pub fn is_in(&self, group: u32) -> bool {
        self.group == group || self.groups.contains(&group)
    }

    /// Refuses what the node's mode does not allow. The superuser may all but run a file that nobody may run.
    pub fn check(&self, node: &Metadata, wanted: Rights) -> Result<(), FileError> {
        let allowed = if self.is_root() {
            node.kind == Kind::Directory || wanted.0 & Rights::EXECUTE.0 == 0 || node.mode & 0o111 != 0
        } else {
            let class = match node.owner {
                owner if owner.user == self.user => node.mode >> 6,
                owner if self.is_in(owner.group) => node.mode >> 3,
                _ => node.mode,
            };
            class & wanted.0 == wanted.0
        };
        if allowed { Ok(()) } else { Err(FileError::Denied) }
    }

    /// The set-user-ID and set-group-ID bits that a file loses when this one gives it away, or changes its contents and is
    /// not root. Where the group may not execute, the second means something else, and members of the group keep it.
    #[must_use]
    pub fn bits_lost(&self, file: &Metadata) -> u32 {
        let may_keep = file.mode & 0o010 == 0 && (self.is_root() || self.is_in(file.owner.group));
        file.mode & if may_keep { 0o4000 } else { 0o6000 }
    }

    /// Whether a directory with the sticky bit keeps this one from removing or renaming `entry`.
    pub fn check_sticky(&self, directory: &Metadata, entry: &Metadata) -> Result<(), FileError> {
        let sticky = directory.mode & 0o1000 != 0;
        let mine = self.is_root() || self.user == entry.owner.user || self.user == directory.owner.user;
        if sticky && !mine { Err(FileError::NotPermitted) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Owner;

    fn node(kind: Kind, mode: u32) -> Metadata {
        Metadata { owner: Owner { user: 10, group: 20 }, ..Metadata::new(kind, mode) }
    }

    #[test]
    fn the_first_class_that_fits_decides() {
        let owner = Credentials { user: 10, group: 20, groups: Vec::new() };
        let member = Credentials { user: 11, group: 1, groups: alloc::vec![20] };
        let other = Credentials { user: 12, group: 1, groups: Vec::new() };
        let file = node(Kind::Regular, 0o074);
        assert_eq!(owner.check(&file, Rights::READ), Err(FileError::Denied));
        assert_eq!(member.check(&file, Rights::READ.and(Rights::WRITE)), Ok(()));
        assert_eq!(other.check(&file, Rights::READ), Ok(()));
        assert_eq!(other.check(&file, Rights::EXECUTE), Err(FileError::Denied));
    }

    #[test]
    fn root_runs_only_what_somebody_may_run() {
        let root = Credentials::default();
        assert_eq!(root.check(&node(Kind::Regular, 0), Rights::READ.and(Rights::WRITE)), Ok(()));
        assert_eq!(root.check(&node(Kind::Regular, 0o666), Rights::EXECUTE), Err(FileError::Denied));
        assert_eq!(root.check(&node(Kind::Regular, 0o001), Rights::EXECUTE), Ok(()));
        assert_eq!(root.check(&node(Kind::Directory, 0), Rights::EXECUTE), Ok(()));
    }

    #[test]
    fn sticky_directories_protect_entries_of_others() {
        let directory = Metadata { mode: 0o1777, ..Metadata::new(Kind::Directory, 0) };
        let entry = node(Kind::Regular, 0o666);
        let by = |user| Credentials { user, ..Credentials::default() }.check_sticky(&directory, &entry);
        assert_eq!((by(0), by(10), by(11)), (Ok(()), Ok(()), Err(FileError::NotPermitted)));
    }
}
