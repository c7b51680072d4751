//! A tree over another one.

use alloc::{borrow::Cow, sync::Arc};

use vfs::{Creation, FileError, Kind, MakeKind, Mounting, Node, Owner, overlay, ramfs::Ramfs};

use crate::{DEVICES, MOUNTS, TREE, dev, device, mount, mount_tables, surroundings::Machine};

/// Files that are found again without asking below. Each may be an open file of the machine underneath.
const REMEMBERED: usize = 256;

/// Puts the tree together over the one at `below`, in which nothing changes: what programs change is kept in memory.
/// `source` is what `/proc/mounts` calls it. `/dev` and `/tmp` are in memory. In place of [`crate::root`].
pub fn root_over(below: Arc<dyn Node>, source: Cow<'static, [u8]>) -> Result<Arc<dyn Node>, FileError> {
    let root = overlay::root(below, device::ROOT, &Machine, REMEMBERED);
    MOUNTS.begin(Mounting { root: root.clone(), kind: "overlay", source, read_only: false });
    let devices = Ramfs::new(device::DEVICES, &Machine, 0o755);
    devices.root().fill_later(dev::fill);
    let temporary = Ramfs::new(device::TEMPORARY, &Machine, 0o1777);
    mount_directory(&root, b"dev", "devtmpfs", DEVICES.call_once(|| devices.root().clone()))?;
    mount_directory(&root, b"tmp", "tmpfs", &(temporary.root().clone() as Arc<dyn Node>))?;
    TREE.call_once(|| temporary);
    mount_tables(&root, &|name| directory(&root, name).ok())?;
    Ok(root)
}

fn mount_directory(
    root: &Arc<dyn Node>,
    name: &'static [u8],
    kind: &'static str,
    mounted: &Arc<dyn Node>,
) -> Result<(), FileError> {
    mount(root, name, directory(root, name)?, kind, mounted.clone())
}

/// The directory of that name in the root, made if there is none.
fn directory(root: &Arc<dyn Node>, name: &[u8]) -> Result<Arc<dyn Node>, FileError> {
    let found = match root.lookup(name) {
        Err(FileError::NotFound) => {
            root.create(name, &Creation { kind: MakeKind::Directory, mode: 0o755, owner: Owner::default() })
        }
        found => found,
    }?;
    if found.kind() == Kind::Directory { Ok(found) } else { Err(FileError::NotDirectory) }
}
