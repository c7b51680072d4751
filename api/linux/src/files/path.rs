//! Paths of system calls: relative to what, asked by whom.

use alloc::sync::Arc;

use linux_abi::{
    Errno,
    constants::{AT_EMPTY_PATH, AT_FDCWD},
};
use vfs::{Credentials, FileError, Follow, Kind, Node, View};

use super::{Location, description, errno};
use crate::process;

/// A process' place in the tree, copied, so that no lock is held while paths are walked.
pub struct Seen {
    location: Location,
    who: Credentials,
    start: Arc<dyn Node>,
}

impl Seen {
    /// The tree from the running process, relative paths beginning at `directory` (a descriptor or AT_FDCWD), which
    /// does not count for an absolute `path`.
    pub fn from(directory: i32, path: &[u8]) -> Result<Self, Errno> {
        if path.is_empty() {
            return Err(Errno::ENOENT);
        }
        let location = process().location.lock().clone();
        let start = if directory == AT_FDCWD || path.first() == Some(&b'/') {
            Arc::clone(&location.directory)
        } else {
            let entry = Arc::clone(&description(directory)?.entry);
            if entry.kind() != Kind::Directory {
                return Err(Errno::ENOTDIR);
            }
            entry
        };
        Ok(Self { location, who: credentials(), start })
    }

    /// What vfs works with.
    #[must_use]
    pub const fn view(&self) -> View<'_> {
        View { root: &self.location.root, start: &self.start, who: &self.who }
    }

    /// Permissions of a new file, the umask taken away.
    #[must_use]
    pub const fn masked(&self, mode: u32) -> u32 {
        mode & 0o7777 & !self.location.umask
    }
}

/// Whose rights to files count for the running process.
#[must_use]
pub fn credentials() -> Credentials {
    let identity = process().identity.lock();
    Credentials { user: identity.user.file, group: identity.group.file, groups: identity.groups.clone() }
}

/// Changes the tree seen from `directory` by `act`.
pub fn change(directory: i32, path: &[u8], act: &dyn Fn(&View<'_>, &Seen) -> Result<(), FileError>) -> crate::Result {
    let seen = Seen::from(directory, path)?;
    act(&seen.view(), &seen).map_err(errno)?;
    Ok(0)
}

/// The node at `path`, or with AT_EMPTY_PATH and an empty path the one that `directory` has open.
pub fn node_at(directory: i32, path: &[u8], flags: u32, follow: Follow) -> Result<Arc<dyn Node>, Errno> {
    if path.is_empty() && flags & AT_EMPTY_PATH != 0 {
        if directory == AT_FDCWD {
            return Ok(Arc::clone(&process().location.lock().directory));
        }
        return Ok(Arc::clone(&description(directory)?.entry));
    }
    Seen::from(directory, path)?.view().lookup(path, follow).map_err(errno)
}
