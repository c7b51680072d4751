//! Disks over virtio-blk. None is looked for before somebody asks how many there are.
//!
//! The command names its disks by their numbers, as serial numbers; disks that others name stand behind them, in the
//! order in which they are found.

mod disk;

use alloc::vec::Vec;

use blkdev::{Done, Error, Geometry, Request};
use disk::Disk;
use sync::Once;
use virtio::block::Configuration;

use crate::{
    discovery::Sources,
    transport::{AnyTransport, Own},
};

static FOUND: Once<Vec<Disk>> = Once::new();

/// Provider of the contract `blkdev`.
#[derive(Debug, Default)]
pub struct Disks;

impl Disks {
    /// The instance.
    #[must_use]
    pub const fn new() -> Self {
        Self
    }
}

impl blkdev::Disks for Disks {
    fn count(&self) -> usize {
        found().len()
    }

    fn geometry(&self, disk: usize) -> Option<Geometry> {
        found().get(disk).map(Disk::geometry)
    }

    fn submit(&self, disk: usize, queue: usize, burst: &[Request<'_>]) -> Result<usize, Error> {
        found().get(disk).ok_or(Error::Nowhere)?.submit(queue, burst)
    }

    fn take(&self, disk: usize, queue: usize, done: &mut [Done]) -> Result<usize, Error> {
        found().get(disk).ok_or(Error::Nowhere)?.take(queue, done)
    }

    fn set_interrupts(&self, disk: usize, queue: usize, wanted: bool) -> bool {
        found().get(disk).is_some_and(|disk| disk.set_interrupts(queue, wanted))
    }
}

fn found() -> &'static [Disk] {
    FOUND.call_once(find)
}

fn find() -> Vec<Disk> {
    let mut disks = Vec::new();
    Sources::remembered().look(&mut |candidate| {
        let mut configuration = None;
        let mut read = |own: Own| {
            configuration = Some(Configuration::read(|at| own.read8(at)));
            true
        };
        let known = AnyTransport::known(candidate, virtio::device::BLOCK, true, &mut read);
        if let (Some((device, interrupts)), Some(configuration)) = (known, configuration) {
            // One that does not start is none.
            disks.extend(Disk::start(device, &configuration, interrupts));
        }
        // And on to the next place.
        None
    });
    disks.sort_by_key(Disk::number);
    disks
}
