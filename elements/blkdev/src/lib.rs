//! Block devices without an operating system.
//!
//! [`Disks`] is what a machine offers: disks by number, each with queues that take requests in bursts and give back in
//! any order what is done, by polling or with an interrupt to poll at. [`Line`] lets several threads wait on one queue;
//! [`Store`] makes a disk the backing of a page cache, so that it is read ahead, mapped and written as a file is.
//! [`Ram`] is a disk in memory.
//!
//! # What is promised
//! A disk keeps each sector of [`SECTOR`] bytes apart: a write that fails or that a crash cuts short leaves each old or
//! new. Requests under way have no order among them. What has been written lasts once a later
//! [`Operation::Flush`] is done.
#![no_std]
// Requests lend memory to a device, which is reached by pointers: `request`.
#![deny(unsafe_code)]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod line;
mod ram;
mod request;
mod store;
#[cfg(test)]
mod tests;

pub use line::Line;
pub use ram::Ram;
pub use request::{Done, Operation, Part, Request};
pub use store::Store;

/// Bytes of a sector, the unit of positions.
pub const SECTOR: usize = 512;

/// What a disk is like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Geometry {
    /// How many sectors it has.
    pub sectors: u64,
    /// Every write is [`Error::ReadOnly`].
    pub read_only: bool,
    /// Queues, at least one. Each is best used by one processor.
    pub queues: usize,
    /// Parts a request may have, at least one.
    pub parts: usize,
}

impl Geometry {
    /// Its length in bytes.
    #[must_use]
    pub const fn bytes(&self) -> u64 {
        self.sectors * SECTOR as u64
    }
}

/// Why a request was not carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Error {
    /// The device failed.
    Failed,
    /// The disk is not written to.
    ReadOnly,
    /// It has no room left (a file that grows as it is written).
    NoSpace,
    /// There is no such disk, queue or sector.
    Nowhere,
}

declaration::contract! {
    blkdev = "block devices: bursts of requests on many queues, done in any order";

    /// The disks of a machine, numbered from 0.
    pub trait Disks: Sync {
        /// How many there are.
        fn count(&self) -> usize;

        /// What disk `disk` is like.
        fn geometry(&self, disk: usize) -> Option<Geometry>;

        /// Hands a burst of requests to a queue: as many of the first ones as it has room for, and says how many. The
        /// memory of their parts is the device's until [`Disks::take`] has given their cookies back.
        ///
        /// After an error, also one of [`Disks::take`], the queue is of no more use, and uses nobody's memory.
        fn submit(&self, disk: usize, queue: usize, burst: &[Request<'_>]) -> Result<usize, Error>;

        /// Writes requests that are done to the first places of `done`, and says how many. Does not wait.
        fn take(&self, disk: usize, queue: usize, done: &mut [Done]) -> Result<usize, Error>;

        /// Turns interrupts of a queue on or off; `false` if it has none, because its requests are done when they are
        /// submitted. With interrupts a processor that idles is woken by what is done. Look once more after turning
        /// them on: what was done before raises none.
        fn set_interrupts(&self, disk: usize, queue: usize, wanted: bool) -> bool {
            let _ = (disk, queue, wanted);
            false
        }
    }
}
