//! The interface that leads back.

use alloc::collections::VecDeque;

use sync::Mutex;

use crate::{Attributes, Burst, Error, Nics, Offloads, Packet};

/// Packets that wait at most: more than a burst of each of some processors, and a bound for memory.
const DEPTH: usize = 1024;
/// As Linux has it for `lo` (drivers/net/loopback.c).
const MTU: usize = 65_536;

/// Hands packets over as they are: nothing is copied, cut or summed, for they never leave the machine.
#[derive(Debug, Default)]
pub struct Loopback(Mutex<VecDeque<Packet>>);

impl Loopback {
    /// Nothing has been sent.
    #[must_use]
    pub const fn new() -> Self {
        Self(Mutex::new(VecDeque::new()))
    }
}

/// Every packet of the first `room` ones.
pub(crate) fn take(packets: &mut Burst, room: usize) -> impl ExactSizeIterator<Item = Packet> + '_ {
    let count = packets.len().min(room);
    packets.drain(..count)
}

/// Moves the first ones of those that wait.
pub(crate) fn give(waiting: &mut VecDeque<Packet>, packets: &mut Burst, most: usize) -> usize {
    let count = waiting.len().min(most);
    packets.extend(waiting.drain(..count));
    count
}

const fn check(nic: usize, queue: usize) -> Result<(), Error> {
    if nic == 0 && queue == 0 { Ok(()) } else { Err(Error::Nowhere) }
}

impl Nics for Loopback {
    fn count(&self) -> usize {
        1
    }

    fn attributes(&self, nic: usize) -> Option<Attributes> {
        let attributes = Attributes {
            address: None,
            mtu: MTU,
            queues: 1,
            offloads: Offloads::all(),
            largest: usize::from(u16::MAX),
        };
        (nic == 0).then_some(attributes)
    }

    fn receive(&self, nic: usize, queue: usize, packets: &mut Burst, most: usize) -> Result<usize, Error> {
        check(nic, queue)?;
        Ok(give(&mut self.0.lock(), packets, most))
    }

    fn send(&self, nic: usize, queue: usize, packets: &mut Burst) -> Result<usize, Error> {
        check(nic, queue)?;
        let mut waiting = self.0.lock();
        let taken = take(packets, DEPTH - waiting.len());
        let count = taken.len();
        waiting.extend(taken);
        Ok(count)
    }
}
