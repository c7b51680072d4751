//! The provider of the contract `volumes`.

use alloc::{borrow::Cow, format, sync::Arc};

use vfs::{FileError, Mounting, Node, Owner, Unmountable};

use crate::{
    device::Device,
    disk::{Disk, all},
    memory::{OF_DISKS, OF_FILES, now},
};

/// The major number of virtio disks (Linux gives it out as it goes; the first free one is this), and how many minor
/// numbers each has.
const MAJOR: u32 = 254;
const MINORS: u32 = 16;

/// Number of the first disk's file system, as stat(2) shows it; the others' follow.
const FIRST_NUMBER: u64 = 0x80;

/// Disks with file systems of these kinds.
#[derive(Debug, Default)]
pub struct Volumes<const FAT: bool, const EXT4: bool>;

impl<const FAT: bool, const EXT4: bool> Volumes<FAT, EXT4> {
    /// The instance.
    #[must_use]
    pub const fn new() -> Self {
        Self
    }
}

impl<const FAT: bool, const EXT4: bool> vfs::Volumes for Volumes<FAT, EXT4> {
    fn count(&self) -> usize {
        all().len()
    }

    fn device(&self, number: usize) -> Option<Arc<dyn Node>> {
        let disk = all().get(number)?;
        Some(Arc::new(Device { disk, number: (MAJOR, number as u32 * MINORS) }))
    }

    fn mount(&self, number: usize, read_only: bool, owner: Owner) -> Result<Mounting, Unmountable> {
        let disk = all().get(number).ok_or(Unmountable("the machine does not have this disk"))?;
        let read_only = read_only || disk.geometry().read_only;
        let device = FIRST_NUMBER + number as u64;
        let (kind, root, read_only) = if FAT && fat::is_on(&disk.contents) {
            ("vfat", fat::mount(fat_world(disk, device, read_only, owner))?, read_only)
        } else if EXT4 && ext4::is_on(&disk.contents) {
            ("ext4", ext4::mount(ext4_world(disk, device))?, true)
        } else {
            return Err(Unmountable("there is no file system on it that this image knows (FAT, ext2 to ext4)"));
        };
        *disk.root.lock() = Some(root.clone());
        let source = Cow::Owned(format!("/dev/vd{}", char::from(b'a' + number as u8)).into_bytes());
        Ok(Mounting { root, kind, source, read_only })
    }

    fn flush(&self) -> Result<(), FileError> {
        let files = OF_FILES.flush();
        let systems = all().iter().map(Disk::flush).fold(Ok(()), Result::and);
        files.and(systems).and(OF_DISKS.flush())
    }
}

fn fat_world(disk: &Disk, device: u64, read_only: bool, owner: Owner) -> fat::World {
    let (contents, store) = (disk.contents.clone(), disk.store.clone());
    fat::World { device, owner, read_only, now, disk: contents, store, pool: &OF_FILES }
}

fn ext4_world(disk: &Disk, device: u64) -> ext4::World {
    ext4::World { device, disk: disk.contents.clone(), store: disk.store.clone(), pool: &OF_FILES }
}

impl Disk {
    /// Brings what was written to where it stays: the file system's, and the device's.
    fn flush(&self) -> Result<(), FileError> {
        if self.geometry().read_only {
            return Ok(());
        }
        let root = self.root.lock().clone();
        let system = root.map_or(Ok(()), |root| root.sync(true));
        system.and(self.contents.sync(true))
    }
}
