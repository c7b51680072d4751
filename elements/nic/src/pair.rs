//! Two interfaces that lead to each other: a cable for tests, and for two stacks in one machine.

use alloc::{collections::VecDeque, vec::Vec};

use sync::Mutex;

use crate::{
    Attributes, Burst, Error, Nics, Packet,
    loopback::{give, take},
};

/// Packets that wait in a queue at most.
const DEPTH: usize = 1024;

/// What interface 0 sends in a queue, interface 1 receives in the queue of that number, and the other way round.
#[derive(Debug)]
pub struct Pair {
    ends: [Attributes; 2],
    /// Packets on their way to each end, by queue.
    waiting: [Vec<Mutex<VecDeque<Packet>>>; 2],
}

impl Pair {
    /// Interfaces with these attributes. Both have as many queues as the one with fewer.
    #[must_use]
    pub fn new(mut ends: [Attributes; 2]) -> Self {
        let queues = ends[0].queues.min(ends[1].queues).max(1);
        ends.iter_mut().for_each(|end| end.queues = queues);
        let waiting = [(); 2].map(|()| (0..queues).map(|_| Mutex::default()).collect());
        Self { ends, waiting }
    }

    fn queue(&self, end: usize, queue: usize) -> Result<&Mutex<VecDeque<Packet>>, Error> {
        self.waiting.get(end).and_then(|queues| queues.get(queue)).ok_or(Error::Nowhere)
    }
}

impl Nics for Pair {
    fn count(&self) -> usize {
        2
    }

    fn attributes(&self, nic: usize) -> Option<Attributes> {
        self.ends.get(nic).copied()
    }

    fn receive(&self, nic: usize, queue: usize, packets: &mut Burst, most: usize) -> Result<usize, Error> {
        Ok(give(&mut self.queue(nic, queue)?.lock(), packets, most))
    }

    fn send(&self, nic: usize, queue: usize, packets: &mut Burst) -> Result<usize, Error> {
        // There is no third end, so who sends from it gets the error.
        let mut waiting = self.queue(nic ^ 1, queue)?.lock();
        let taken = take(packets, DEPTH - waiting.len());
        let count = taken.len();
        waiting.extend(taken);
        Ok(count)
    }
}
