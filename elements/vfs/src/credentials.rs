//! Who asks, and whether a mode allows it (path_resolution(7), capabilities(7)).

use alloc::vec::Vec;

use crate::{FileError, Kind, Metadata};

/// Someone with rights to files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Credentials {
    /// User.
    pub user: u32,
    /// Group.
    pub group: u32,
    /// Further groups.
    pub groups: Vec<u32>,
    /// What he may do beyond what modes say.
    pub powers: Powers,
}

impl Default for Credentials {
    /// The superuser, whom nothing binds.
    fn default() -> Self {
        Self::SUPERUSER
    }
}

/// What someone may do whatever modes say (capabilities(7)): a set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Powers(pub u8);

impl Powers {
    /// Nothing.
    pub const NONE: Self = Self(0);
    /// Read, write and pass through all, and run what anybody may run (CAP_DAC_OVERRIDE).
    pub const OVERRIDE: Self = Self(1);
    /// Read all, and pass through all directories (CAP_DAC_READ_SEARCH).
    pub const READ: Self = Self(2);
    /// What only an owner may (CAP_FOWNER).
    pub const OWN: Self = Self(4);
    /// Give files to others (CAP_CHOWN).
    pub const GIVE: Self = Self(8);
    /// Set the set-group-ID bit of a file of another group (CAP_FSETID).
    pub const MARK: Self = Self(16);
    /// Everything.
    pub const ALL: Self = Self(31);

    /// Those of either.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
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
    /// The superuser.
    pub const SUPERUSER: Self = Self { user: 0, group: 0, groups: Vec::new(), powers: Powers::ALL };

    /// A user; the first has all powers, others none.
    #[must_use]
    pub const fn new(user: u32, group: u32, groups: Vec<u32>) -> Self {
        let powers = if user == 0 { Powers::ALL } else { Powers::NONE };
        Self { user, group, groups, powers }
    }

    /// Whether this one has all of these powers.
    #[must_use]
    pub const fn may(&self, powers: Powers) -> bool {
        powers.0 & !self.powers.0 == 0
    }

    /// Whether he may do what `owner` may.
    #[must_use]
    pub const fn owns(&self, owner: u32) -> bool {
        self.user == owner || self.may(Powers::OWN)
    }

    /// Whether this one is in `group`.
    #[must_use]
    pub fn is_in(&self, group: u32) -> bool {
        self.group == group || self.groups.contains(&group)
    }

    /// Refuses what neither the node's mode nor a power allows. None is enough to run a file that nobody may run.
    pub fn check(&self, node: &Metadata, wanted: Rights) -> Result<(), FileError> {
        let allowed = if self.may(Powers::OVERRIDE) {
            node.kind == Kind::Directory || wanted.0 & Rights::EXECUTE.0 == 0 || node.mode & 0o111 != 0
        } else {
            let class = match node.owner {
                owner if owner.user == self.user => node.mode >> 6,
                owner if self.is_in(owner.group) => node.mode >> 3,
                _ => node.mode,
            };
            let reads =
                if node.kind == Kind::Directory { wanted.0 & Rights::WRITE.0 == 0 } else { wanted == Rights::READ };
            class & wanted.0 == wanted.0 || reads && self.may(Powers::READ)
        };
        if allowed { Ok(()) } else { Err(FileError::Denied) }
    }

    /// The set-user-ID and set-group-ID bits that a file loses when this one gives it away, or changes its contents and
    /// is not root. Where the group may not execute, the second means something else, and members of the group keep it.
    #[must_use]
    pub fn bits_lost(&self, file: &Metadata) -> u32 {
        let may_keep = file.mode & 0o010 == 0 && (self.may(Powers::MARK) || self.is_in(file.owner.group));
        file.mode & if may_keep { 0o4000 } else { 0o6000 }
    }

    /// Whether a directory with the sticky bit keeps this one from removing or renaming `entry`.
    pub fn check_sticky(&self, directory: &Metadata, entry: &Metadata) -> Result<(), FileError> {
        let sticky = directory.mode & 0o1000 != 0;
        let mine = self.owns(entry.owner.user) || self.user == directory.owner.user;
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
        let owner = Credentials::new(10, 20, Vec::new());
        let member = Credentials::new(11, 1, alloc::vec![20]);
        let other = Credentials::new(12, 1, Vec::new());
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
    fn powers_are_apart() {
        let with = |powers| Credentials { powers, ..Credentials::new(0, 0, Vec::new()) };
        let (file, directory) = (node(Kind::Regular, 0), node(Kind::Directory, 0));
        let none = with(Powers::NONE);
        assert_eq!(none.check(&file, Rights::READ), Err(FileError::Denied));
        let reader = with(Powers::READ);
        assert_eq!(reader.check(&file, Rights::READ), Ok(()));
        assert_eq!(reader.check(&file, Rights::WRITE), Err(FileError::Denied));
        assert_eq!(reader.check(&file, Rights::READ.and(Rights::EXECUTE)), Err(FileError::Denied));
        assert_eq!(reader.check(&directory, Rights::READ.and(Rights::EXECUTE)), Ok(()));
        assert_eq!(reader.check(&directory, Rights::WRITE), Err(FileError::Denied));
        assert_eq!(with(Powers::OVERRIDE).check(&directory, Rights::WRITE), Ok(()));
        let sticky = Metadata { mode: 0o1777, ..node(Kind::Directory, 0) };
        assert_eq!(with(Powers::OVERRIDE).check_sticky(&sticky, &file), Err(FileError::NotPermitted));
        assert_eq!(with(Powers::OWN).check_sticky(&sticky, &file), Ok(()));
    }

    #[test]
    fn sticky_directories_protect_entries_of_others() {
        let directory = Metadata { mode: 0o1777, ..Metadata::new(Kind::Directory, 0) };
        let entry = node(Kind::Regular, 0o666);
        let by = |user| Credentials::new(user, 0, Vec::new()).check_sticky(&directory, &entry);
        assert_eq!((by(0), by(10), by(11)), (Ok(()), Ok(()), Err(FileError::NotPermitted)));
    }
}
