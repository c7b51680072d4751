//! One neighbour.

use alloc::collections::VecDeque;

use packets::{Instant, Packet, ethernet};

/// The states of RFC 4861, 7.3.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the document's")]
pub enum State {
    Incomplete,
    Reachable,
    Stale,
    Delay,
    Probe,
}

/// The states as they are kept: whether an answered one is stale is a matter of time alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kept {
    Incomplete,
    Answered,
    Delay,
    Probe,
}

#[derive(Debug)]
pub(super) struct Entry {
    pub kept: Kept,
    /// Meaningless while it is incomplete.
    pub address: ethernet::Address,
    /// Until when it is reachable.
    pub until: Instant,
    /// For when it is set in its schedule.
    pub scheduled: Instant,
    pub solicitations: u8,
    pub router: bool,
    pub queue: VecDeque<Packet>,
}

impl Entry {
    /// One that was asked for once.
    pub fn incomplete(until: Instant) -> Self {
        let address = ethernet::Address::default();
        let (kept, queue) = (Kept::Incomplete, VecDeque::new());
        Self { kept, address, until, scheduled: until, solicitations: 1, router: false, queue }
    }

    /// One whose address was heard but not confirmed.
    pub fn stale(now: Instant, address: ethernet::Address) -> Self {
        Self { kept: Kept::Answered, address, solicitations: 0, ..Self::incomplete(now) }
    }

    /// Its state at a moment.
    pub fn told(&self, now: Instant) -> State {
        match self.kept {
            Kept::Incomplete => State::Incomplete,
            Kept::Answered if self.until > now => State::Reachable,
            Kept::Answered => State::Stale,
            Kept::Delay => State::Delay,
            Kept::Probe => State::Probe,
        }
    }

    /// Its address if it is known.
    pub fn known(&self) -> Option<ethernet::Address> {
        (self.kept != Kept::Incomplete).then_some(self.address)
    }

    /// Memory that what waits for it takes.
    pub fn bytes(&self) -> usize {
        self.queue.iter().map(memory).sum()
    }
}

/// Memory that a packet takes while it waits: a short one is mostly its own description.
pub(super) fn memory(packet: &Packet) -> usize {
    size_of::<Packet>() + packet.len()
}
