//! A disk in memory as the image's provider of `blkdev`.

use blkdev::{Disks, Done, Error, Geometry, Ram, Request, SECTOR};
use kernel::memory::FilePages;

/// A disk of `SIZE` bytes, which is the machine's only one. Its memory is taken as it is written to.
pub struct RamDisk<const SIZE: usize>(Ram);

impl<const SIZE: usize> RamDisk<SIZE> {
    /// The instance.
    #[must_use]
    pub const fn new() -> Self {
        Self(Ram::new(&FilePages, (SIZE / SECTOR) as u64))
    }
}

impl<const SIZE: usize> Default for RamDisk<SIZE> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const SIZE: usize> Disks for RamDisk<SIZE> {
    fn count(&self) -> usize {
        self.0.count()
    }

    fn geometry(&self, disk: usize) -> Option<Geometry> {
        self.0.geometry(disk)
    }

    fn submit(&self, disk: usize, queue: usize, burst: &[Request<'_>]) -> Result<usize, Error> {
        self.0.submit(disk, queue, burst)
    }

    fn take(&self, disk: usize, queue: usize, done: &mut [Done]) -> Result<usize, Error> {
        self.0.take(disk, queue, done)
    }
}
