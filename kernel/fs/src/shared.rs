//! The host's files in the tree.

use alloc::{borrow::Cow, sync::Arc};

use vfs::{FileError, Mounting, Node, overlay, pseudo, ramfs::Ramfs};

use crate::{
    DEVICES, MOUNTS, Share, dev, device,
    place::{cover, put, text},
    surroundings::Machine,
    systems::systems,
};

/// Files that are found again without asking the host. Each may be an open file there.
const REMEMBERED: usize = 256;

/// A tree over files of the host's or on a disk. They do not change: what programs change is kept in memory.
pub fn root(below: Arc<dyn Node>) -> Result<Arc<dyn Node>, FileError> {
    let root = overlay::root(below, device::ROOT, &Machine, REMEMBERED);
    vfs::keep_paths();
    MOUNTS.begin(Mounting { root: root.clone(), kind: "overlay", source: Cow::Borrowed(b"overlay"), read_only: false });
    let devices = Ramfs::new(device::DEVICES, &Machine, 0o755);
    devices.root().fill_later(dev::fill);
    let devices = DEVICES.call_once(|| devices.root().clone()).clone();
    cover(&root, b"/dev", "devtmpfs", devices)?;
    for (name, kind, system) in systems() {
        let path = [b"/", name].concat();
        cover(&root, &path, kind, pseudo::root(system))?;
    }
    Ok(root)
}

/// Puts a share into the tree.
pub fn mount(root: &Arc<dyn Node>, share: &Share<'_>) -> Result<(), FileError> {
    let shared = open(share)?;
    let mounted =
        Mounting { root: shared, kind: "share", source: Cow::Owned(share.tag.to_vec()), read_only: share.read_only };
    let result = put(root, share.path, mounted);
    result.inspect_err(|error| {
        kernel::error!("{}: the host's files cannot stand there: {error:?}", text(share.path));
    })
}

/// The root of what the host shares.
pub fn open(share: &Share<'_>) -> Result<Arc<dyn Node>, FileError> {
    let mut parts = share.tag.splitn(2, |&byte| byte == b'/');
    let opened = contracts::shares::open(parts.next().unwrap_or_default());
    let opened = match parts.next() {
        // One file of a directory.
        Some(name) => opened.and_then(|directory| directory.lookup(name)),
        None => opened,
    };
    opened.map_err(|error| {
        kernel::error!("the host's files for {} cannot be opened: {error:?}", text(share.path));
        FileError::Failed
    })
}
