//! Who is where on a link: one table for ARP and for neighbour discovery (RFC 4861, 7.3), bounded.
//!
//! An entry is incomplete until its neighbour answers; then reachable for a time, and stale behind that. One that is
//! used while it is stale is probed after a delay. There is no timer for what nobody uses.
//!
//! When the table is full, the entry that is stale for the longest time makes room, or the oldest one that never was
//! answered. Live ones stay. So a flood costs those that are in use nothing (RFC 6583).

mod entry;
mod learn;

use alloc::{collections::VecDeque, vec::Vec};
use core::{net::IpAddr, time::Duration};

use packets::{Instant, Packet, ethernet};

use crate::{
    schedule::Schedule,
    secret::{Random, Secret, Table},
};
pub use entry::State;
use entry::{Entry, Kept, memory};
pub use learn::Answer;

/// Entries at once: Linux' `gc_thresh3`. With [`QUEUED_BYTES`] less than 2 MB.
pub const ENTRIES: usize = 1024;
/// Packets that wait for one neighbour while there is room: Linux' `unres_qlen`. A datagram of 64 KB in pieces is 45.
pub const QUEUED: usize = 101;
/// Packets that wait for one neighbour once half of the bytes for all are taken, so that none is left out: RFC 4861,
/// 7.2.2 asks for one.
pub const QUEUED_IN_NEED: usize = 3;
/// Memory of the packets that wait for all neighbours together, in bytes.
pub const QUEUED_BYTES: usize = 1 << 20;
/// How long an answer counts, on average: RFC 4861, 10, `REACHABLE_TIME`.
pub const REACHABLE: Duration = Duration::from_secs(30);
/// Between two solicitations: RFC 4861, 10, `RETRANS_TIMER`.
pub const RETRANSMIT: Duration = Duration::from_secs(1);
/// From the use of a stale entry to its probe: RFC 4861, 10, `DELAY_FIRST_PROBE_TIME`.
pub const DELAY: Duration = Duration::from_secs(5);
/// Solicitations without an answer: RFC 4861, 10, `MAX_MULTICAST_SOLICIT` and `MAX_UNICAST_SOLICIT`.
pub const SOLICITATIONS: u8 = 3;

/// A neighbour: the interface's number, and its address.
pub type Key = (u32, IpAddr);

/// What is due.
#[derive(Debug)]
pub enum Due {
    /// Ask for a neighbour: everyone, or the one at this address.
    Solicit(Key, Option<ethernet::Address>),
    /// Nobody has answered. These packets have waited for it.
    Failed(Key, VecDeque<Packet>),
}

/// The table.
#[derive(Debug)]
pub struct Neighbours {
    entries: Table<Key, Entry>,
    /// Those that wait for an answer, or for their probe.
    active: Schedule<Key>,
    /// Reachable and stale ones, by when they got stale, or somewhat before.
    idle: Schedule<Key>,
    queued_bytes: usize,
    limit: usize,
    random: Random,
    reachable: Duration,
    changes: u64,
}

impl Neighbours {
    /// An empty one.
    #[must_use]
    pub fn new(secret: &Secret) -> Self {
        let (entries, random) = (secret.table("neighbours"), secret.random("neighbours"));
        let (active, idle) = (Schedule::default(), Schedule::default());
        Self { entries, active, idle, queued_bytes: 0, limit: QUEUED_BYTES, random, reachable: REACHABLE, changes: 0 }
    }

    /// Packets that wait for an answer take so many bytes at most, and no more than [`QUEUED_BYTES`].
    pub fn set_limit(&mut self, bytes: usize) {
        self.limit = bytes.min(QUEUED_BYTES);
    }

    /// Says how long an answer counts on average: a router may (RFC 4861, 6.3.4).
    pub fn set_reachable(&mut self, span: Duration) {
        self.reachable = span;
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Memory of the packets that wait for an answer, in bytes.
    #[must_use]
    pub const fn waiting(&self) -> usize {
        self.queued_bytes
    }

    /// All of them, in no order: the neighbour, its state, its address, and whether it says that it is a router.
    pub fn list(&self, now: Instant) -> impl Iterator<Item = (Key, State, Option<ethernet::Address>, bool)> {
        self.entries.iter().map(move |(&key, entry)| (key, entry.told(now), entry.known(), entry.router))
    }

    /// The state of one.
    #[must_use]
    pub fn state(&self, now: Instant, key: Key) -> Option<State> {
        self.entries.get(&key).map(|entry| entry.told(now))
    }

    /// Gives the address of a packet's next stop, if it is known.
    pub fn resolve(&mut self, now: Instant, key: Key) -> Option<ethernet::Address> {
        let entry = self.entries.get(&key)?;
        let address = entry.known()?;
        // RFC 4861, 7.3.3: the first use of a stale entry begins the delay.
        if entry.told(now) == State::Stale {
            self.place(key, Kept::Delay, now + DELAY);
        }
        Some(address)
    }

    /// The address of a packet's next stop, if nothing is to be done for it, and until when that is so if nothing
    /// changes.
    #[must_use]
    pub fn settled(&self, now: Instant, key: Key) -> Option<(ethernet::Address, Option<Instant>)> {
        let entry = self.entries.get(&key)?;
        let address = entry.known()?;
        match entry.told(now) {
            State::Stale | State::Incomplete => None,
            State::Reachable => Some((address, Some(entry.until))),
            State::Delay | State::Probe => Some((address, None)),
        }
    }

    /// How often anything has changed, but that an answer gets old.
    #[must_use]
    pub const fn changes(&self) -> u64 {
        self.changes
    }

    /// Keeps a packet until its next stop is known; `true`: that is to be asked for now.
    pub fn wait(&mut self, now: Instant, key: Key, packet: Packet) -> bool {
        let new = !self.entries.contains_key(&key);
        if new && !self.insert(now, key, Entry::incomplete(now + RETRANSMIT)) {
            return false;
        }
        self.enqueue(key, packet);
        new
    }

    /// Whoever is at an address has shown by an answer that it gets what is sent: RFC 4861, 7.3.1.
    pub fn confirm(&mut self, now: Instant, key: Key) {
        let Some(entry) = self.entries.get_mut(&key) else { return };
        match entry.kept {
            // The schedule finds out when it gets there: this is once per segment, and must be cheap.
            Kept::Answered => entry.until = entry.until.max(now + self.reachable / 2),
            Kept::Delay | Kept::Probe => self.reach(now, key),
            Kept::Incomplete => {}
        }
    }

    /// The earliest moment at which [`Neighbours::due`] has something, or never.
    #[must_use]
    pub const fn earliest(&self) -> Instant {
        self.active.earliest()
    }

    /// What is due now; to be called until it is nothing.
    pub fn due(&mut self, now: Instant) -> Option<Due> {
        let key = self.active.due(now)?;
        let entry = self.entries.get_mut(&key)?;
        if entry.kept == Kept::Delay {
            entry.solicitations = 0;
        }
        if entry.solicitations >= SOLICITATIONS {
            return Some(Due::Failed(key, self.remove(key)));
        }
        entry.solicitations += 1;
        let (kept, to) = match entry.kept {
            Kept::Incomplete => (Kept::Incomplete, None),
            _ => (Kept::Probe, Some(entry.address)),
        };
        (entry.kept, entry.scheduled) = (kept, now + RETRANSMIT);
        self.changes += 1;
        self.active.set(entry.scheduled, key);
        Some(Due::Solicit(key, to))
    }

    /// Forgets all neighbours of an interface: it went down.
    pub fn forget(&mut self, interface: u32) {
        let keys: Vec<Key> = self.entries.keys().copied().filter(|key| key.0 == interface).collect();
        for key in keys {
            self.remove(key);
        }
    }

    fn enqueue(&mut self, key: Key, packet: Packet) {
        let Some(entry) = self.entries.get_mut(&key) else { return };
        let most = if self.queued_bytes < self.limit / 2 { QUEUED } else { QUEUED_IN_NEED };
        if entry.queue.len() >= most {
            // RFC 4861, 7.2.2: the newer packet replaces the oldest.
            self.queued_bytes -= entry.queue.pop_front().as_ref().map_or(0, memory);
        }
        if self.queued_bytes + memory(&packet) <= self.limit {
            self.queued_bytes += memory(&packet);
            entry.queue.push_back(packet);
        }
    }

    /// Adds an entry; `false` if there is no room.
    fn insert(&mut self, now: Instant, key: Key, entry: Entry) -> bool {
        if self.entries.len() >= ENTRIES && !self.make_room(now) {
            return false;
        }
        self.schedule_of(entry.kept).set(entry.scheduled, key);
        self.entries.insert(key, entry);
        self.changes += 1;
        true
    }

    /// Takes out the entry that is stale for the longest time, or else one that was never answered.
    fn make_room(&mut self, now: Instant) -> bool {
        while let Some(key) = self.idle.due(now) {
            let Some(entry) = self.entries.get_mut(&key) else { continue };
            if entry.until > now {
                // It was confirmed since.
                entry.scheduled = entry.until;
                self.idle.set(entry.until, key);
                continue;
            }
            self.remove(key);
            return true;
        }
        let Some((_, key)) = self.active.first() else { return false };
        let incomplete = self.entries.get(&key).is_some_and(|entry| entry.kept == Kept::Incomplete);
        if incomplete {
            self.remove(key);
        }
        incomplete
    }

    /// Takes an entry out, and gives what has waited for it.
    fn remove(&mut self, key: Key) -> VecDeque<Packet> {
        let Some(entry) = self.entries.remove(&key) else { return VecDeque::new() };
        self.changes += 1;
        self.schedule_of(entry.kept).clear(entry.scheduled, key);
        self.queued_bytes -= entry.bytes();
        entry.queue
    }

    /// Moves an entry to another state until a moment.
    fn place(&mut self, key: Key, kept: Kept, until: Instant) {
        let Some(entry) = self.entries.get_mut(&key) else { return };
        let (before, at) = (entry.kept, entry.scheduled);
        (entry.kept, entry.until, entry.scheduled) = (kept, until, until);
        self.changes += 1;
        self.schedule_of(before).clear(at, key);
        self.schedule_of(kept).set(until, key);
    }

    fn reach(&mut self, now: Instant, key: Key) {
        // RFC 4861, 6.3.2: between half and one and a half of the base.
        let span = self.reachable / 2 + self.random.up_to(self.reachable);
        self.place(key, Kept::Answered, now + span);
    }

    fn schedule_of(&mut self, kept: Kept) -> &mut Schedule<Key> {
        if kept == Kept::Answered { &mut self.idle } else { &mut self.active }
    }
}
