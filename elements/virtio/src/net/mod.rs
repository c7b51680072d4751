//! The network device (section 5.1): pairs of queues, one that receives and one that sends, and a queue for control.
//!
//! Packets are owned memory ([`packets`]): a device fills buffers that are handed over with what is in them, and reads
//! packets where they lie. What it says about a packet is checked as any foreign bytes are: a packet with a wrong
//! header is dropped and counted.

mod control;
pub mod header;
mod receive;
#[cfg(test)]
mod tests;
mod transmit;

pub use control::Control;
pub use receive::{Buffer, Receive};
pub use transmit::Transmit;

use alloc::boxed::Box;

use crate::{
    Shared, device,
    device::StartError,
    queue::{Queue, queue_bytes},
    transport::Transport,
};

/// Descriptors of each queue that carries packets.
pub(crate) const ENTRIES: usize = 256;
/// Bytes of memory for the rings of one.
pub const QUEUE_MEMORY: usize = queue_bytes(ENTRIES);
/// Bytes of memory for what a sending queue has of its packets.
pub const SLOTS_MEMORY: usize = transmit::MEMORY;
/// Bytes of memory for the queue for control.
pub const CONTROL_MEMORY: usize = control::MEMORY;
/// Bytes of a buffer that a device fills: a frame of an Ethernet, with what is before it, and a size class of heaps.
pub const BUFFER: usize = 2048;

/// Features (sections 5.1.3 and 6).
mod feature {
    pub const CHECKSUM: u64 = 1;
    pub const RECEIVE_CHECKSUM: u64 = 1 << 1;
    pub const MTU: u64 = 1 << 3;
    pub const ADDRESS: u64 = 1 << 5;
    pub const RECEIVE_TCP_IPV4: u64 = 1 << 7;
    pub const RECEIVE_TCP_IPV6: u64 = 1 << 8;
    pub const SEND_TCP_IPV4: u64 = 1 << 11;
    pub const SEND_TCP_IPV6: u64 = 1 << 12;
    pub const MERGEABLE: u64 = 1 << 15;
    pub const STATUS: u64 = 1 << 16;
    pub const CONTROL: u64 = 1 << 17;
    pub const CONTROL_FILTER: u64 = 1 << 18;
    pub const MANY_QUEUES: u64 = 1 << 22;
    pub const EVENT_INDEX: u64 = 1 << 29;
    pub const SEND_UDP: u64 = 1 << 56;

    pub const SEND: u64 = SEND_TCP_IPV4 | SEND_TCP_IPV6 | SEND_UDP;
    pub const RECEIVE: u64 = RECEIVE_TCP_IPV4 | RECEIVE_TCP_IPV6;
    pub const ALL: u64 = CHECKSUM
        | RECEIVE_CHECKSUM
        | MTU
        | ADDRESS
        | SEND
        | RECEIVE
        | MERGEABLE
        | STATUS
        | CONTROL
        | CONTROL_FILTER
        | MANY_QUEUES
        | EVENT_INDEX;
}

/// What is wanted of what a device offers: what leans on something else only with that (section 5.1.3.1), and packets
/// that were put together only where they may lie in several buffers.
const fn wanted(offered: u64) -> u64 {
    let mut wanted = offered & feature::ALL;
    if wanted & feature::CHECKSUM == 0 {
        wanted &= !feature::SEND;
    }
    if wanted & feature::RECEIVE_CHECKSUM == 0 || wanted & feature::MERGEABLE == 0 {
        wanted &= !feature::RECEIVE;
    }
    if wanted & feature::CONTROL == 0 {
        wanted &= !(feature::CONTROL_FILTER | feature::MANY_QUEUES);
    }
    wanted
}

/// What a device says about itself (section 5.1.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Configuration {
    address: [u8; 6],
    pairs: u16,
    mtu: u16,
}

/// Where the link's state is in it, and the bit that says that there is one.
const STATUS_AT: usize = 6;
const LINK_UP: u8 = 1;

impl Configuration {
    /// Reads it by single bytes.
    pub fn read(byte: impl Fn(usize) -> u8) -> Self {
        let word = |at: usize| u16::from_le_bytes([byte(at), byte(at + 1)]);
        Self { address: core::array::from_fn(&byte), pairs: word(8), mtu: word(10) }
    }
}

/// A device that is ready.
#[derive(Debug)]
pub struct Device<T> {
    transport: T,
    features: u64,
    configuration: Configuration,
}

impl<T: Transport> Device<T> {
    /// Agrees about features; [`Device::receive`] and [`Device::transmit`] come next for each pair of queues that is to
    /// be used, then [`Device::control`], then [`Device::finish`].
    pub fn begin(mut transport: T, configuration: Configuration) -> Result<Self, StartError> {
        let wanted = wanted(transport.offered_features());
        let features = device::begin(&mut transport, 0, wanted)?;
        Ok(Self { transport, features, configuration })
    }

    const fn has(&self, feature: u64) -> bool {
        self.features & feature != 0
    }

    /// On the heap, and by itself: what it keeps beside its rings is thousands of bytes, which stacks do not have for
    /// each queue that somebody starts.
    #[inline(never)]
    fn start_queue<const SIZE: usize>(&mut self, number: u16, rings: &Shared) -> Result<Box<Queue<SIZE>>, StartError> {
        let mut queue = Box::new(Queue::new(rings).ok_or(StartError::Memory)?);
        if self.has(feature::EVENT_INDEX) {
            queue.use_event_index();
        }
        queue.set_interrupts(false);
        let has_room = usize::from(self.transport.queue_limit(number)) >= SIZE;
        if has_room && self.transport.start_queue(number, SIZE as u16, queue.areas()) {
            Ok(queue)
        } else {
            Err(StartError::Queue(number))
        }
    }

    /// Starts the receiving queue of pair `pair`, with [`QUEUE_MEMORY`] bytes for its rings. It has no buffers yet.
    pub fn receive<B: Buffer>(&mut self, pair: u16, rings: &Shared) -> Result<Receive<B>, StartError> {
        let number = pair * 2;
        Ok(Receive::new(number, self.start_queue(number, rings)?, self.has(feature::MERGEABLE)))
    }

    /// Starts the sending queue of pair `pair`, with [`QUEUE_MEMORY`] bytes for its rings and [`SLOTS_MEMORY`] for what
    /// belongs to its packets.
    pub fn transmit(&mut self, pair: u16, rings: &Shared, slots: Shared) -> Result<Transmit, StartError> {
        if slots.length() < SLOTS_MEMORY {
            return Err(StartError::Memory);
        }
        let number = pair * 2 + 1;
        Ok(Transmit::new(number, self.start_queue(number, rings)?, slots))
    }

    /// Starts the queue for control, with [`CONTROL_MEMORY`] bytes, if there is one.
    pub fn control(&mut self, memory: Shared) -> Result<Option<Control>, StartError> {
        if !self.has(feature::CONTROL) {
            return Ok(None);
        }
        // It stands behind all pairs that the device has, used or not (section 5.1.2).
        let number = self.pairs().checked_mul(2).ok_or(StartError::Queue(u16::MAX))?;
        let queue = self.start_queue(number, &memory)?;
        Ok(Some(Control::new(number, queue, memory, self.has(feature::CONTROL_FILTER))))
    }

    /// Sets the device to work.
    pub fn finish(&mut self) {
        device::finish(&mut self.transport);
    }

    /// How many pairs of queues there are. More than one are used when [`Control::use_pairs`] has said so.
    #[must_use]
    pub const fn pairs(&self) -> u16 {
        if self.has(feature::MANY_QUEUES) && self.configuration.pairs > 0 { self.configuration.pairs } else { 1 }
    }

    /// Its address, if it says one.
    #[must_use]
    pub const fn address(&self) -> Option<[u8; 6]> {
        if self.has(feature::ADDRESS) { Some(self.configuration.address) } else { None }
    }

    /// Bytes of the longest packet behind its Ethernet header, if it says how many.
    #[must_use]
    pub const fn mtu(&self) -> Option<u16> {
        if self.has(feature::MTU) { Some(self.configuration.mtu) } else { None }
    }

    /// Whether it completes checksums.
    #[must_use]
    pub const fn completes_checksums(&self) -> bool {
        self.has(feature::CHECKSUM)
    }

    /// Whether it looks at checksums of what comes.
    #[must_use]
    pub const fn checks(&self) -> bool {
        self.has(feature::RECEIVE_CHECKSUM)
    }

    /// Whether it cuts TCP over IPv4, TCP over IPv6, and UDP.
    #[must_use]
    pub const fn cuts(&self) -> [bool; 3] {
        [self.has(feature::SEND_TCP_IPV4), self.has(feature::SEND_TCP_IPV6), self.has(feature::SEND_UDP)]
    }

    /// Whether a packet may come in several buffers.
    #[must_use]
    pub const fn merges(&self) -> bool {
        self.has(feature::MERGEABLE)
    }

    /// Whether it may put segments together.
    #[must_use]
    pub const fn coalesces(&self) -> bool {
        self.has(feature::RECEIVE)
    }

    /// Whether it has a link, as its configuration says that `byte` reads.
    pub fn is_up(&self, byte: impl Fn(usize) -> u8) -> bool {
        !self.has(feature::STATUS) || byte(STATUS_AT) & LINK_UP != 0
    }

    /// Tells the device that buffers were added to a queue.
    pub fn notify(&self, queue: u16) {
        self.transport.notify(queue);
    }

    /// Stops the device, which uses no memory from then on.
    pub fn stop(&mut self) {
        device::stop(&mut self.transport);
    }
}
