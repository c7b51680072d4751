//! Paths of system calls: relative to what, asked by whom.

use alloc::{borrow::Cow, sync::Arc, vec::Vec};

use identity::{Capability, Set};
use linux_abi::{Directory, Errno, FileDescriptor, UserPath, constants::AtFlags};
use vfs::{Confinement, Credentials, FileError, Follow, Kind, MakeKind, Node, Powers, View};

use super::description;
use crate::objects::{
    ability,
    descriptors::{Description, watching},
    errors::errno,
    process, user,
};

/// A path, and the process' place in the tree, copied, so that no lock is held while it is walked.
pub struct Seen<'a> {
    /// The path; not empty.
    pub path: Cow<'a, [u8]>,
    /// What `/` means.
    pub root: Arc<dyn Node>,
    /// Where it starts, if it does not begin with `/`.
    start: Option<Arc<dyn Node>>,
    /// Where its walk may not lead.
    pub confined: Confinement,
    who: Credentials,
    umask: u32,
}

impl Seen<'static> {
    /// The path at `address`; see [`Seen::new`].
    pub fn at(directory: Directory, address: UserPath) -> Result<Self, Errno> {
        Self::new(directory, Cow::Owned(user::read_path(address)?))
    }
}

impl<'a> Seen<'a> {
    /// Does something with the path at `address`, which is kept only that long; see [`user::with_path`].
    pub fn with<R>(
        directory: Directory,
        address: UserPath,
        work: impl FnOnce(&Seen<'_>) -> Result<R, Errno>,
    ) -> Result<R, Errno> {
        user::with_path(address, |path| {
            let start = start_of(directory, path)?;
            work(&Seen::from(start, Cow::Borrowed(path)))
        })
    }

    /// The tree from the running process, relative paths beginning at `directory`, which does not count for an absolute
    /// path.
    #[inline(never)]
    pub fn new(directory: Directory, path: Cow<'a, [u8]>) -> Result<Self, Errno> {
        let start = start_of(directory, &path)?;
        Ok(Self::from(start, path))
    }

    /// The same of a path that starts there, or where it does by itself.
    // Without an error, so that it is made where it stays.
    #[inline(never)]
    fn from(start: Option<Arc<dyn Node>>, path: Cow<'a, [u8]>) -> Self {
        let who = if ability::short_ways() { credentials_in_line() } else { credentials() };
        let location = process::location_in_line();
        let is_absolute = path.first() == Some(&b'/');
        let start = if is_absolute { None } else { Some(start.unwrap_or_else(|| Arc::clone(&location.directory))) };
        let (root, umask) = (Arc::clone(&location.root), location.umask);
        Self { path, root, start, confined: Confinement::NONE, who, umask }
    }

    /// Where the path starts.
    #[must_use]
    pub fn start(&self) -> &Arc<dyn Node> {
        self.start.as_ref().unwrap_or(&self.root)
    }

    /// What vfs works with.
    #[must_use]
    pub fn view(&self) -> View<'_> {
        View { root: &self.root, start: self.start(), who: &self.who, mounts: fs::mounts(), confined: self.confined }
    }

    /// The node at the path.
    #[inline(never)]
    pub fn lookup(&self, follow: Follow) -> Result<Arc<dyn Node>, Errno> {
        self.view().lookup(&self.path, follow).map_err(errno)
    }

    /// Permissions of a new file, the umask taken away.
    #[must_use]
    pub const fn masked(&self, mode: u32) -> u32 {
        mode & 0o7777 & !self.umask
    }
}

#[inline(never)]
fn open_directory(number: FileDescriptor) -> Result<Arc<dyn Node>, Errno> {
    let entry = Arc::clone(description(number)?.entry.counted());
    if entry.kind() == Kind::Directory { Ok(entry) } else { Err(Errno::ENOTDIR) }
}

impl Description {
    /// Its absolute path, or the name that `/proc/self/fd` has for what has none.
    #[must_use]
    pub fn path(&self) -> Vec<u8> {
        self.origin().path(self.entry.counted(), &|| Arc::clone(&process::location().root))
    }
}

/// Whose rights to files count for the running process.
#[must_use]
#[inline(never)]
pub fn credentials() -> Credentials {
    credentials_in_line()
}

#[inline(always)]
fn credentials_in_line() -> Credentials {
    let identity = process::identity_in_line();
    Credentials {
        user: identity.user.file,
        group: identity.group.file,
        // Most have none, and nothing is to be copied then.
        groups: if identity.groups.is_empty() { Vec::new() } else { identity.groups.clone() },
        powers: powers(identity.capabilities.effective),
    }
}

/// What capabilities mean for files.
#[must_use]
pub fn powers(set: Set) -> Powers {
    const PAIRS: [(Capability, Powers); 5] = [
        (Capability::DacOverride, Powers::OVERRIDE),
        (Capability::DacReadSearch, Powers::READ),
        (Capability::Fowner, Powers::OWN),
        (Capability::Chown, Powers::GIVE),
        (Capability::Fsetid, Powers::MARK),
    ];
    if set.holds(Set::FILES) {
        return Powers::ALL;
    }
    let held = PAIRS.into_iter().filter(|&(capability, _)| set.has(capability));
    held.fold(Powers::NONE, |powers, (_, power)| powers.and(power))
}

/// EROFS for a node that is mounted so that nothing changes.
pub fn check_change(node: &Arc<dyn Node>) -> Result<(), Errno> {
    fs::mounts().check_change(&**node).map_err(errno)
}

/// The answer of a call that only does something.
#[inline(never)]
pub fn done(result: Result<(), FileError>) -> crate::Result {
    match result {
        Ok(()) => Ok(0),
        Err(error) => Err(errno(error)),
    }
}

/// Makes an entry at the path at `address`. The umask counts for all but links.
pub fn make(directory: Directory, address: UserPath, kind: MakeKind<'_>, mode: u32) -> crate::Result {
    let seen = Seen::at(directory, address)?;
    let mode = if matches!(kind, MakeKind::Link(_)) { mode } else { seen.masked(mode) };
    let found = seen.view().made(&seen.path, kind, mode).map_err(errno)?;
    watching::made(&found);
    Ok(0)
}

/// The node at the path at `address`, itself a link if AT_SYMLINK_NOFOLLOW is among `flags`. With AT_EMPTY_PATH and an
/// empty path, the one that `directory` has open.
#[inline(never)]
pub fn node_at(directory: Directory, address: UserPath, flags: AtFlags) -> Result<Arc<dyn Node>, Errno> {
    if flags.contains(AtFlags::AT_EMPTY_PATH) && user::is_empty_path(address)? {
        if directory == Directory::WORKING {
            return Ok(Arc::clone(&crate::objects::process::location().directory));
        }
        return Ok(Arc::clone(description(directory.descriptor())?.entry.counted()));
    }
    let follow = if flags.contains(AtFlags::AT_SYMLINK_NOFOLLOW) { Follow::No } else { Follow::Yes };
    Seen::with(directory, address, |seen| seen.lookup(follow))
}

/// Where a path starts, if that is not the working directory and counts.
#[inline]
fn start_of(directory: Directory, path: &[u8]) -> Result<Option<Arc<dyn Node>>, Errno> {
    match path.first() {
        None => Err(Errno::ENOENT),
        Some(first) if directory != Directory::WORKING && *first != b'/' => {
            open_directory(directory.descriptor()).map(Some)
        }
        Some(_) => Ok(None),
    }
}
