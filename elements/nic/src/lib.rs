//! Network interfaces without an operating system.
//!
//! [`Nics`] is what a machine offers: interfaces by number, each with queues that take and give packets in bursts, by
//! polling or with an interrupt to poll at. [`Loopback`] is one that leads back to its own machine; [`Pair`] is two
//! that lead to each other. [`Recorded`], [`Traced`] and [`Faulty`] go round any of them, and are switched on and off
//! while it runs.
//!
//! # What is promised
//! A packet belongs to whoever has it: who sends one has lost it, and its memory is given back when the device has read
//! it. No byte is copied but those of small packets. A queue keeps the order of its packets; two queues have none. An
//! interface may lose any packet, and never says so.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod attributes;
mod checksum;
mod faulty;
mod lane;
mod loopback;
mod pair;
mod pcap;
mod recorded;
pub mod stream;
mod summary;
#[cfg(test)]
mod tests;
mod traced;
mod wrapper;

use alloc::vec::Vec;

pub use attributes::{Attributes, Filter, Interrupts, Offloads};
pub use faulty::Faulty;
pub use lane::Faults;
pub use loopback::Loopback;
pub use packets;
pub use packets::{Instant, Offload, Packet, ethernet::Address};
pub use pair::Pair;
pub use recorded::{Recorded, Sink};
pub use traced::Traced;
pub use wrapper::{Direction, Time};

/// Packets that go together.
pub type Burst = Vec<Packet>;

/// Whoever is shown a packet where it lies: whether they have taken it.
pub type Take<'a> = dyn FnMut(&[u8], &Offload) -> bool + 'a;

/// Why an interface does not do it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Error {
    /// There is no such interface or queue.
    Nowhere,
    /// The device failed, and is of no more use. It uses nobody's memory.
    Failed,
    /// The device cannot do that.
    Unsupported,
}

declaration::contract! {
    nic = "network interfaces: bursts of packets on many queues";

    /// The network interfaces of a machine, numbered from 0.
    pub trait Nics: Sync {
        /// How many there are.
        fn count(&self) -> usize;

        /// What interface `nic` is like.
        fn attributes(&self, nic: usize) -> Option<Attributes>;

        /// Adds what queue `queue` has received to `packets`, at most `most` of them, and says how many. Does not wait.
        fn receive(&self, nic: usize, queue: usize, packets: &mut Burst, most: usize) -> Result<usize, Error>;

        /// As [`Nics::receive`], where the device may show a short packet to `take` before a copy is made of it: one
        /// that is taken is counted, and not added. So it is up to the first that is added, for a queue keeps its
        /// order.
        fn receive_or_take(
            &self,
            nic: usize,
            queue: usize,
            packets: &mut Burst,
            most: usize,
            take: &mut Take<'_>,
        ) -> Result<usize, Error> {
            let _ = take;
            self.receive(nic, queue, packets, most)
        }

        /// Takes as many of the first packets out of `packets` as the queue has room for, and says how many. One that
        /// the device could never send is taken, and lost. Memory of those that it has read is given back in passing.
        fn send(&self, nic: usize, queue: usize, packets: &mut Burst) -> Result<usize, Error>;

        /// Says what a queue shall interrupt for from now on; `false` if it interrupts nobody. An interrupt ends the
        /// idling of a processor, and is one for all that came since: ask again when the queue has run dry, and look
        /// once more behind that, for what was there before raises none.
        fn set_interrupts(&self, nic: usize, queue: usize, wanted: Interrupts) -> bool {
            let _ = (nic, queue, wanted);
            false
        }

        /// Whether the interface has a link to others.
        fn is_up(&self, nic: usize) -> bool {
            let _ = nic;
            true
        }

        /// Says which packets are received besides those for its own address and for everyone.
        fn set_filter(&self, nic: usize, filter: Filter) -> Result<(), Error> {
            let _ = (nic, filter);
            Err(Error::Unsupported)
        }
    }
}
