//! The whole tree: the boot archive or what the host or a disk has below, `/dev`, `/proc`, `/sys`, and memory for what
//! is written.

use alloc::{borrow::Cow, sync::Arc};

use vfs::{
    FileError, Given, Mounting, Node, Place, RootFiles, pseudo,
    ramfs::{Ramfs, Unpacked},
};

use crate::{DEVICES, Disk, MOUNTS, Share, TREE, dev, device, names, shared, surroundings::Machine, systems::systems};

/// Provider of the contract `root` that shows all there is.
#[derive(Debug, Default)]
pub struct WholeTree;

impl WholeTree {
    /// The instance.
    #[must_use]
    pub const fn new() -> Self {
        Self
    }
}

impl RootFiles for WholeTree {
    /// [`FileError::Failed`] if the archive cannot be read to its end, or a share not be found, or a disk not be read,
    /// with a line that says why.
    fn begin(&self, given: Given<'_, '_>) -> Result<Arc<dyn Node>, FileError> {
        let Given { archive, shares, disks, owner } = given;
        let ramfs = unpacked(archive)?;
        let mut shares = shares.filter_map(Share::parse).peekable();
        let mut disks = disks.filter_map(Disk::parse).enumerate().peekable();
        let root = match (shares.next_if(Share::is_root), disks.next_if(|(_, disk)| disk.is_root())) {
            (Some(share), _) => covered(shared::open(&share)?)?,
            (None, Some((number, disk))) => covered(disk.mount(number, owner)?.root)?,
            (None, None) => alone(&ramfs)?,
        };
        shares.try_for_each(|share| shared::mount(&root, &share))?;
        disks.try_for_each(|(number, disk)| disk.stand_in(&root, number, owner))?;
        TREE.call_once(|| ramfs);
        Ok(root)
    }

    fn flush(&self) {
        if contracts::shares::flush().is_err() {
            kernel::error!("what the program stored into a mapped file could not be written back");
        }
        if contracts::volumes::flush().is_err() {
            kernel::error!("what the program wrote could not all be brought to its disks");
        }
    }
}

fn unpacked(archive: &'static [u8]) -> Result<Ramfs, FileError> {
    let (ramfs, Unpacked { refused, error }) = Ramfs::from_archive(device::ROOT, &Machine, archive);
    if let Some(error) = error {
        kernel::error!("the boot archive is damaged: {error}");
        return Err(FileError::Failed);
    }
    if refused > 0 {
        kernel::debug!("{refused} entries of the boot archive have names that cannot be used and are left out");
    }
    Ok(ramfs)
}

/// A tree over files of the host's or on a disk, with files of ours over them.
fn covered(below: Arc<dyn Node>) -> Result<Arc<dyn Node>, FileError> {
    let root = shared::root(below)?;
    names::cover(&root)?;
    Ok(root)
}

/// The tree of a program that is alone with what the archive brings.
fn alone(ramfs: &Ramfs) -> Result<Arc<dyn Node>, FileError> {
    let tree = ramfs.root();
    if let Some(devices) = tree.provide(b"dev", 0o755, Some(dev::fill)) {
        DEVICES.call_once(|| devices);
    }
    tree.provide(b"tmp", 0o1777, None);
    if names::are_there() {
        tree.provide(names::PLACE, 0o755, Some(names::fill));
    }
    MOUNTS.begin(Mounting { root: tree.clone(), kind: "tmpfs", source: Cow::Borrowed(b"tmpfs"), read_only: false });
    for (name, kind, system) in systems() {
        let Some(point) = tree.provide(name, 0o555, None) else { continue };
        let place = Place { parent: tree.clone(), name: Cow::Borrowed(name), removed: false };
        let source = Cow::Borrowed(kind.as_bytes());
        MOUNTS.mount(place, point, Mounting { root: pseudo::root(system), kind, source, read_only: false })?;
    }
    Ok(tree.clone())
}
