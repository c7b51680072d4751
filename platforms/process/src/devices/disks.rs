//! Files of the host's as disks: those that the command has opened, from descriptor [`FIRST`] on. A request is carried
//! out when it is submitted.

use alloc::{collections::VecDeque, vec::Vec};
use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use blkdev::{Done, Error, Geometry, Operation, Request, SECTOR};
use sync::{Mutex, Once};

use crate::host::{HostError, disk as host};

/// The descriptor of the first disk. The others follow.
const FIRST: i32 = 128;

/// A file that the command has opened.
struct Disk {
    descriptor: i32,
    geometry: Geometry,
    done: Mutex<VecDeque<Done>>,
}

static FOUND: Once<Vec<Disk>> = Once::new();

/// How many there are at the most: other descriptors are files that the kernel has opened.
static MOST: AtomicUsize = AtomicUsize::new(usize::MAX);

/// The command has said how many disks there are.
pub fn limit(count: usize) {
    MOST.store(count, Relaxed);
}

fn found() -> &'static [Disk] {
    FOUND.call_once(|| (FIRST..).take(MOST.load(Relaxed)).map_while(Disk::open).collect())
}

fn disk(number: usize) -> Result<&'static Disk, Error> {
    found().get(number).ok_or(Error::Nowhere)
}

/// Provider of the contract `blkdev`.
#[derive(Debug, Default)]
pub struct HostDisks;

impl HostDisks {
    /// The instance.
    #[must_use]
    pub const fn new() -> Self {
        Self
    }
}

impl Disk {
    fn open(descriptor: i32) -> Option<Self> {
        let read_only = host::is_read_only(descriptor).ok()?;
        let sectors = host::length(descriptor).ok()? / SECTOR as u64;
        let geometry = Geometry { sectors, read_only, queues: 1, parts: host::PARTS };
        Some(Self { descriptor, geometry, done: Mutex::new(VecDeque::new()) })
    }

    fn carry_out(&self, request: &Request<'_>) -> Result<(), Error> {
        let bytes = request.bytes();
        let end = request.sector.checked_add((bytes / SECTOR) as u64).ok_or(Error::Nowhere)?;
        if end > self.geometry.sectors || !bytes.is_multiple_of(SECTOR) {
            return Err(Error::Nowhere);
        }
        let offset = request.sector * SECTOR as u64;
        let result = match request.operation {
            Operation::Write if self.geometry.read_only => return Err(Error::ReadOnly),
            Operation::Write => host::write(self.descriptor, offset, request.parts()),
            Operation::Read => host::read(self.descriptor, offset, request.parts()),
            Operation::Flush => host::flush(self.descriptor),
        };
        result.map_err(|error| if error == HostError::NO_SPACE { Error::NoSpace } else { Error::Failed })
    }
}

impl blkdev::Disks for HostDisks {
    fn count(&self) -> usize {
        found().len()
    }

    fn geometry(&self, number: usize) -> Option<Geometry> {
        Some(disk(number).ok()?.geometry)
    }

    fn submit(&self, number: usize, _queue: usize, burst: &[Request<'_>]) -> Result<usize, Error> {
        let disk = disk(number)?;
        for request in burst {
            let result = disk.carry_out(request);
            disk.done.lock().push_back(Done { cookie: request.cookie, result });
        }
        Ok(burst.len())
    }

    fn take(&self, number: usize, _queue: usize, done: &mut [Done]) -> Result<usize, Error> {
        let mut waiting = disk(number)?.done.lock();
        let count = waiting.len().min(done.len());
        for (place, taken) in done.iter_mut().zip(waiting.drain(..count)) {
            *place = taken;
        }
        Ok(count)
    }
}
