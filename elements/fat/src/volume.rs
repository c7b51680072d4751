//! A file system behind a lock.

use alloc::{boxed::Box, string::String, sync::Arc};
use core::sync::atomic::{AtomicU32, Ordering};

use hadris_fat::{CacheOptions, sync::FatFs};
use hadris_fs::{Clock, DateTime, ErrorKind, MountOptions, Name, NodeId, RenameMode};
use sync::{PollGuard, PollMutex};
use vfs::{FileError, FileSystem, Kind, Owner, Time, Unmountable};

use crate::{
    World,
    convert::{file_error, kind, metadata, moment},
    device::Device,
};

/// Places in files that are remembered, so that a read need not count clusters from the beginning.
const POSITIONS: usize = 512;
/// How names begin that files have which are removed but open.
pub const REMOVED: &str = ".whittle-removed-";
/// Linux' magic number of such file systems (MSDOS_SUPER_MAGIC).
const MAGIC: u64 = 0x4d44;

pub type Fat = FatFs<Device>;

/// A file system.
pub struct Volume {
    /// Under a lock whose holder polls the disk: a fault in the kernel may come here for a file that is mapped.
    fat: PollMutex<Fat>,
    device: u64,
    owner: Owner,
    pub pool: &'static page_cache::Pool,
    removed: AtomicU32,
}

struct Now(fn() -> Time);

impl Clock for Now {
    fn now(&self) -> DateTime {
        moment((self.0)())
    }
}

impl Volume {
    pub fn open(world: World) -> Result<Arc<Self>, Unmountable> {
        let World { device, owner, read_only, now, disk, store, pool } = world;
        let sectors = disk.length() / 512;
        // A file system stays for ever, and so does its clock.
        let clock: &'static Now = Box::leak(Box::new(Now(now)));
        let options = MountOptions::new().with_clock(clock);
        let options = if read_only { options.read_only() } else { options };
        let fat = FatFs::mount(Device { disk, store, sectors, read_only }, options).map_err(|error| {
            Unmountable(match error.kind() {
                ErrorKind::NotRecognized => "it is no FAT file system",
                ErrorKind::Corrupt => "its FAT boot sector is damaged, or it ends before the file system on it does",
                ErrorKind::Unsupported => "its FAT file system is of a form that is not known here",
                _ => "it cannot be read",
            })
        })?;
        let fat = fat.with_cache(CacheOptions::new().with_chain_positions(POSITIONS));
        let fat = PollMutex::new(fat);
        Ok(Arc::new(Self { fat, device, owner, pool, removed: AtomicU32::new(0) }))
    }

    /// The file system itself. Whoever holds it asks nothing of a file's contents, whose locks come first.
    pub fn fat(&self) -> PollGuard<'_, Fat> {
        self.fat.lock()
    }

    pub fn is_root(&self, id: NodeId) -> bool {
        self.fat().root() == id
    }

    /// What kind a file is of that the file system holds for us, and its length.
    pub fn kind(&self, id: NodeId) -> Result<(Kind, u64), FileError> {
        let known = self.fat().stat(id).map_err(|error| file_error(&error))?;
        Ok((kind(known.file_type()), known.len()))
    }

    /// The file system holds it for us no longer.
    pub fn forget(&self, id: NodeId) {
        self.fat().forget(id, 1);
    }

    /// Gives what is called `name` in `directory` a name of ours, for as long as somebody has it open. Answers that
    /// name.
    pub fn put_away(&self, directory: NodeId, name: &Name) -> Result<String, FileError> {
        let mut fat = self.fat();
        let root = fat.root();
        loop {
            let number = self.removed.fetch_add(1, Ordering::Relaxed);
            let new = alloc::format!("{REMOVED}{number}");
            match fat.rename(directory, name, root, Name::new(new.as_bytes()), RenameMode::NoReplace) {
                Ok(()) => return Ok(new),
                // Left behind by a crash.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(file_error(&error)),
            }
        }
    }

    pub fn metadata(&self, id: NodeId) -> Option<vfs::Metadata> {
        let known = self.fat().stat(id).ok()?;
        Some(metadata(&known, id.get(), self.device, self.owner))
    }

    pub fn file_system(&self) -> FileSystem {
        let known = self.fat().statfs().ok();
        let (block_size, blocks, free) =
            known.map_or((512, 0, 0), |known| (known.block_size().into(), known.total_blocks(), known.free_blocks()));
        FileSystem { magic: MAGIC, block_size, blocks, free, ..FileSystem::default() }
    }
}
