//! One interface: its queues, each a descriptor behind a lock of its own.

use alloc::vec::Vec;
use core::sync::atomic::{AtomicBool, Ordering::Relaxed};

use nic::{Attributes, Burst, Error, Interrupts, Offloads};
use sync::Mutex;

use super::{
    FIRST,
    frames::Frames,
    record::{Kind, Told},
    stream::Stream,
    watch,
};

/// Bytes of an Ethernet header, and of the tag that may be behind it (IEEE 802.1Q).
const ETHERNET: usize = 14;
const TAG: usize = 4;
/// The longest packet of IP, in a frame.
const LARGEST: usize = 65_535 + ETHERNET;

/// An interface.
pub struct Interface {
    pub attributes: Attributes,
    /// The number of its first queue among those of all interfaces.
    first: usize,
    queues: Vec<Mutex<Queue>>,
    /// Nobody is at the other end any more.
    broken: AtomicBool,
}

enum Queue {
    Frames(Frames),
    Stream(Stream),
}

impl Interface {
    /// The one that was told of, whose first queue has number `first`.
    pub fn new(told: &Told, first: usize) -> Self {
        let headed = told.kind == Kind::Tap;
        let offloads = Offloads::SEND_CHECKSUM
            | Offloads::SEND_TCP_IPV4
            | Offloads::SEND_TCP_IPV6
            | Offloads::RECEIVE_CHECKSUM
            | Offloads::RECEIVE_COALESCED;
        let attributes = Attributes {
            address: Some(told.address),
            mtu: told.mtu,
            queues: told.queues,
            offloads: if headed { offloads } else { Offloads::empty() },
            largest: if headed { LARGEST } else { 0 },
        };
        let longest = if headed { LARGEST + TAG } else { told.mtu + ETHERNET + TAG };
        let queue = |_| match told.kind {
            Kind::Stream => Queue::Stream(Stream::new()),
            Kind::Tap | Kind::Datagram => Queue::Frames(Frames::new(headed, longest)),
        };
        let queues = (0..told.queues).map(queue).map(Mutex::new).collect();
        Self { attributes, first, queues, broken: AtomicBool::new(false) }
    }

    /// A queue and its descriptor.
    fn queue(&self, queue: usize) -> Result<(&Mutex<Queue>, i32), Error> {
        let found = self.queues.get(queue).ok_or(Error::Nowhere)?;
        if !self.is_up() {
            return Err(Error::Failed);
        }
        Ok((found, FIRST + (self.first + queue) as i32))
    }

    fn note<T>(&self, result: Result<T, Error>) -> Result<T, Error> {
        if result.is_err() {
            self.broken.store(true, Relaxed);
        }
        result
    }

    /// See [`nic::Nics::is_up`].
    pub fn is_up(&self) -> bool {
        !self.broken.load(Relaxed)
    }

    /// See [`nic::Nics::receive`].
    pub fn receive(&self, queue: usize, packets: &mut Burst, most: usize) -> Result<usize, Error> {
        let (found, descriptor) = self.queue(queue)?;
        let count = self.note(match &mut *found.lock() {
            Queue::Frames(frames) => frames.receive(descriptor, packets, most),
            Queue::Stream(stream) => stream.receive(descriptor, packets, most),
        })?;
        watch::looked(self.first + queue, count > 0);
        Ok(count)
    }

    /// See [`nic::Nics::send`].
    pub fn send(&self, queue: usize, packets: &mut Burst) -> Result<usize, Error> {
        let (queue, descriptor) = self.queue(queue)?;
        self.note(match &mut *queue.lock() {
            Queue::Frames(frames) => Ok(frames.send(descriptor, packets)),
            Queue::Stream(stream) => stream.send(descriptor, packets),
        })
    }

    /// See [`nic::Nics::set_interrupts`].
    pub fn set_interrupts(&self, queue: usize, wanted: Interrupts) -> bool {
        // The host would tell of one whose other end has gone again and again.
        self.queue(queue).is_ok() && watch::set(self.first + queue, wanted)
    }
}
