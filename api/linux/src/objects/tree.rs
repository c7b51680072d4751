//! Where a process stands in the tree, and what it takes away from new files' modes.

use alloc::sync::Arc;

use launch::{Key, Launch};
use linux_abi::Errno;
use sync::Once;
use vfs::{Credentials, Follow, Given, Kind, Node, Owner, View};

use crate::objects::errors::errno;

/// Root, working directory and umask.
#[derive(Clone)]
pub struct Location {
    /// What `/` means.
    pub root: Arc<dyn Node>,
    /// Where relative paths start.
    pub directory: Arc<dyn Node>,
    /// Permission bits that new files do not get (umask(2)).
    pub umask: u32,
}

/// The tree of this machine.
static TREE: Once<Arc<dyn Node>> = Once::new();

/// Makes the tree from the boot archive and what the host shares or gives as disks; once, before the first process.
pub fn mount(archive: &'static [u8], launch: &Launch<'_>) -> Result<(), Errno> {
    let (mut shares, mut disks) = (launch.all(Key::Mount), launch.all(Key::Disk));
    let [user, group] = launch.numbers(Key::User).unwrap_or([0, 0]).map(|number| number as u32);
    let owner = Owner { user, group };
    let given = Given { archive, shares: &mut shares, disks: &mut disks, owner };
    let root = contracts::root::begin(given).map_err(errno)?;
    TREE.call_once(|| root);
    Ok(())
}

/// How many files are different in memory only; see [`vfs::overlay::changed`].
pub fn changed() -> Option<u64> {
    vfs::overlay::changed(TREE.get()?)
}

impl Location {
    /// At the top of the tree.
    #[must_use]
    pub fn top() -> Self {
        let root = TREE.get().expect("the first process has begun");
        Self { root: Arc::clone(root), directory: Arc::clone(root), umask: 0o022 }
    }

    /// A process that starts in `directory`.
    pub fn new(directory: &[u8]) -> Result<Self, Errno> {
        let root = Arc::clone(TREE.get().ok_or(Errno::ENOENT)?);
        let who = Credentials::default();
        let view =
            View { root: &root, start: &root, who: &who, mounts: fs::mounts(), confined: vfs::Confinement::NONE };
        let directory = view.lookup(directory, Follow::Yes).map_err(errno)?;
        if directory.kind() != Kind::Directory {
            return Err(Errno::ENOTDIR);
        }
        Ok(Self { root, directory, umask: 0o022 })
    }
}
