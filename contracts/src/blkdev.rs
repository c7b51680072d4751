//! Contract `blkdev`: see [`blkdev::Disks`].

use crate::blkdev_element::{Disks, Done, Error, Geometry, Request};

slot! { provide_blkdev: ::contracts::blkdev_element::Disks {
    /// See [`blkdev::Disks::count`].
    fn count() -> usize;
    /// See [`blkdev::Disks::geometry`].
    fn geometry(disk: usize) -> ::core::option::Option<::contracts::blkdev_element::Geometry>;
    /// See [`blkdev::Disks::submit`].
    fn submit(disk: usize, queue: usize, burst: &[::contracts::blkdev_element::Request<'_>]) -> ::core::result::Result<usize, ::contracts::blkdev_element::Error>;
    /// See [`blkdev::Disks::take`].
    fn take(disk: usize, queue: usize, done: &mut [::contracts::blkdev_element::Done]) -> ::core::result::Result<usize, ::contracts::blkdev_element::Error>;
    /// See [`blkdev::Disks::set_interrupts`].
    fn set_interrupts(disk: usize, queue: usize, wanted: bool) -> bool;
} }

/// The image's disks, for whoever takes any [`Disks`].
#[derive(Clone, Copy, Debug)]
pub struct Provided;

impl Disks for Provided {
    fn count(&self) -> usize {
        count()
    }

    fn geometry(&self, disk: usize) -> Option<Geometry> {
        geometry(disk)
    }

    fn submit(&self, disk: usize, queue: usize, burst: &[Request<'_>]) -> Result<usize, Error> {
        submit(disk, queue, burst)
    }

    fn take(&self, disk: usize, queue: usize, done: &mut [Done]) -> Result<usize, Error> {
        take(disk, queue, done)
    }

    fn set_interrupts(&self, disk: usize, queue: usize, wanted: bool) -> bool {
        set_interrupts(disk, queue, wanted)
    }
}
