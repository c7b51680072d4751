//! What the table learns from messages. Nobody takes a live entry over: RFC 5227, 5 and RFC 4861, 11.1.

use alloc::collections::VecDeque;

use packets::{Instant, Packet, ethernet};

use super::{
    Key, Neighbours, State,
    entry::{Entry, Kept},
};

/// An answer of a neighbour: an ARP reply, or a neighbour advertisement (RFC 4861, 4.4).
#[derive(Clone, Copy, Debug)]
pub struct Answer {
    /// Its address; an advertisement may leave it out.
    pub address: Option<ethernet::Address>,
    /// It answers a question of ours.
    pub solicited: bool,
    /// It replaces what is known.
    pub replaces: bool,
    /// The neighbour is a router; `None`: it did not say.
    pub router: Option<bool>,
}

impl Neighbours {
    /// Somebody said in a question who it is: RFC 826, RFC 4861, 7.2.3. Gives what has waited for it.
    pub fn heard(&mut self, now: Instant, key: Key, address: ethernet::Address) -> VecDeque<Packet> {
        let Some(entry) = self.entries.get_mut(&key) else {
            self.insert(now, key, Entry::stale(now, address));
            return VecDeque::new();
        };
        if entry.kept == Kept::Incomplete {
            return self.complete(now, key, address, false);
        }
        if entry.address != address {
            self.contradict(now, key, address);
        }
        VecDeque::new()
    }

    /// Somebody answered, perhaps unasked: RFC 4861, 7.2.5. Gives what has waited for it.
    pub fn answered(&mut self, now: Instant, key: Key, answer: &Answer) -> VecDeque<Packet> {
        // Who was not looked for is not remembered: RFC 4861, 7.2.5; RFC 826, the merge flag.
        let Some(entry) = self.entries.get_mut(&key) else { return VecDeque::new() };
        if let Some(router) = answer.router {
            entry.router = router;
        }
        if entry.kept == Kept::Incomplete {
            let Some(address) = answer.address else { return VecDeque::new() };
            return self.complete(now, key, address, answer.solicited);
        }
        match answer.address.filter(|&address| address != entry.address) {
            None if answer.solicited => self.reach(now, key),
            None => {}
            // RFC 4861, 7.2.5 has an answer with the override bit win. Here silence decides, see below.
            Some(address) if answer.replaces => self.contradict(now, key, address),
            Some(_) => {}
        }
        VecDeque::new()
    }

    /// The first address of an entry.
    fn complete(&mut self, now: Instant, key: Key, address: ethernet::Address, reachable: bool) -> VecDeque<Packet> {
        let Some(entry) = self.entries.get_mut(&key) else { return VecDeque::new() };
        entry.address = address;
        self.queued_bytes -= entry.bytes();
        let queue = core::mem::take(&mut entry.queue);
        if reachable {
            self.reach(now, key)
        } else {
            self.place(key, Kept::Answered, now)
        }
        queue
    }

    /// Somebody claims to be at another address. A stale entry believes it. One that is alive asks the one that it
    /// knows, at once: a neighbour that has really moved is found by everybody's silence, and a liar wins nothing.
    fn contradict(&mut self, now: Instant, key: Key, address: ethernet::Address) {
        let Some(entry) = self.entries.get_mut(&key) else { return };
        match entry.told(now) {
            State::Stale => {
                entry.address = address;
                self.place(key, Kept::Answered, now);
            }
            State::Reachable | State::Delay => {
                entry.solicitations = 0;
                self.place(key, Kept::Probe, now);
            }
            State::Probe | State::Incomplete => {}
        }
    }
}
