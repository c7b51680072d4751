//! What the network's lock is for.

use alloc::vec::Vec;
use core::net::Ipv4Addr;

use netstack::{Parts, Stack};
use nic::Burst;
use packets::Instant;
use smallvec::SmallVec;
use sockets::{Error, Socket, Waiting};

use crate::table::{Kind, Table};

/// Packets that are taken from a queue at a time.
const BURST: usize = 64;
/// Bytes that the longest packet may take in a device's buffers.
const PACKET: usize = 78 << 10;

/// The stack, and what is between it and others.
pub struct State<P: Parts + 'static> {
    pub stack: Stack<P>,
    pub links: Vec<Link>,
    pub table: Table,
    /// What has been received, between a device and the stack.
    pub burst: Burst,
    /// Packets that are taken from a device at a time.
    pub most: usize,
    /// Who is to be woken once the lock is free.
    pub woken: Woken,
    /// What the timer is set to.
    pub alarm: Option<Instant>,
    /// Fixed addresses of which others have not been told, and their interfaces.
    pub unannounced: Vec<(u32, Ipv4Addr)>,
}

/// Who is to be woken: without memory of their own where it is few.
pub type Woken = SmallVec<[Waiting; 4]>;

impl<P: Parts> State<P> {
    /// Whether the stack has something to do.
    pub fn is_due(&self, now: Instant) -> bool {
        self.stack.deadline().is_some_and(|due| due <= now)
    }

    /// Whether nothing is to be done behind a call: no packets, nobody to be told, and the timer rings soon enough.
    #[inline]
    pub fn is_settled(&self, now: Instant) -> bool {
        let Some(alarm) = self.alarm.filter(|alarm| *alarm > now) else { return false };
        let stack = &self.stack;
        !stack.ip.has_outgoing() && !stack.has_events() && stack.deadline().is_none_or(|due| alarm <= due)
    }

    /// Tells others of this machine's addresses, once: whoever was accepted by a host before somebody listened is sent
    /// on to now.
    pub fn announce(&mut self) {
        for (interface, address) in core::mem::take(&mut self.unannounced) {
            self.stack.ip.announce_once(interface, address);
        }
    }

    /// What a socket is.
    #[inline(always)]
    pub fn kind(&self, socket: Socket) -> Result<Kind, Error> {
        self.table.kind(socket).and_then(is_there::<P>)
    }

    /// Takes a socket out of the table.
    #[inline(always)]
    pub fn remove(&mut self, socket: Socket) -> Result<Kind, Error> {
        self.table.remove(socket).and_then(is_there::<P>)
    }
}

/// The kind, of those that the image has. Others are never opened; said here, what is done with them folds away.
#[inline(always)]
pub fn is_there<P: Parts>(kind: Kind) -> Result<Kind, Error> {
    match kind {
        Kind::Stream(_) if !P::TCP => Err(Error::Stale),
        Kind::Datagrams(_) if !P::UDP => Err(Error::Stale),
        Kind::Raw(_) if !P::RAW => Err(Error::Stale),
        kind => Ok(kind),
    }
}

/// An interface of the stack over a network interface.
pub struct Link {
    /// The stack's number.
    pub interface: u32,
    /// The device's.
    pub nic: usize,
    /// Which of its queues interrupt for what comes next.
    pub armed: Vec<bool>,
}

impl Link {
    /// Whether all of its queues interrupt.
    pub fn is_armed(&self) -> bool {
        self.armed.iter().all(|armed| *armed)
    }
}

/// The time, as the stack counts it.
pub fn now() -> Instant {
    Instant::from_nanos(contracts::clock::monotonic())
}

/// How many packets are taken at a time where everything has so many bytes: before the stack can refuse any, they are
/// on the heap.
pub fn burst_of_memory(memory: usize) -> usize {
    (memory / 16 / PACKET).clamp(1, BURST)
}
