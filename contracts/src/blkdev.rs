//! Contract `blkdev`: see [`blkdev::Disks`].

slot!(blkdev_element::blkdev, provide_blkdev);

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
