//! Raw and ping sockets: raw(7), icmp(7).
//!
//! A raw socket gets a copy of all packets of its protocol, and sends from the protocol's header on. A ping socket
//! sends echoes with an identifier of its own, and gets the answers to them. Sending with a header of IP of the
//! caller's own (`IP_HDRINCL`) is not here.

use alloc::{collections::VecDeque, vec::Vec};
use core::net::IpAddr;

use packets::{Bytes, Instant, Packet, Parts as Stretches, checksum::Sum, ipv4::protocol};

use crate::{
    delivery::{Arrived, Departure, Header, Told},
    error::{Error, Failure},
    icmp::{self, v4, v6},
    ip::Ip,
    parts::Parts,
    secret::{Random, Secret, Table},
    slab::{Handle, Slab},
    software::{into_parts, pull},
};

/// Sockets at once.
pub const SOCKETS: usize = 4096;
/// Bytes that wait in one, with what it costs to hold them: Linux' `rmem_default`.
pub const QUEUE: usize = 212_992;
const OVERHEAD: usize = 256;

/// What a socket gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Kind {
    /// Packets of IPv4 or IPv6 that carry a protocol.
    Raw(bool, u8),
    /// Answers to echoes with an identifier.
    Ping(bool, u16),
}

/// A packet that has come.
#[derive(Clone, Debug)]
pub struct Received {
    /// Its header of IP. Linux hands that of IPv4 to raw sockets with the bytes.
    pub header: Header,
    /// The interface's number.
    pub interface: u32,
    /// From the protocol's header to the end.
    pub payload: Stretches,
}

#[derive(Debug)]
struct Socket {
    kind: Kind,
    remote: Option<IpAddr>,
    hop_limit: u8,
    queue: VecDeque<Received>,
    queued: usize,
    lost: u64,
    error: Option<Failure>,
    told: bool,
}

/// All of them.
#[derive(Debug)]
pub struct Raw {
    sockets: Slab<Socket>,
    places: Table<Kind, Vec<Handle>>,
    events: Vec<Handle>,
    random: Random,
}

impl Raw {
    /// None yet.
    #[must_use]
    pub fn new(secret: &Secret) -> Self {
        let (places, random) = (secret.table("raw sockets"), secret.random("ping sockets"));
        Self { sockets: Slab::new(SOCKETS), places, events: Vec::new(), random }
    }

    /// A raw socket of IPv4 or IPv6 for a protocol.
    ///
    /// # Errors
    /// [`Error::Full`].
    pub fn open(&mut self, ipv4: bool, protocol: u8) -> Result<Handle, Error> {
        self.add(Kind::Raw(ipv4, protocol))
    }

    /// A ping socket: its identifier is free, and cannot be guessed.
    ///
    /// # Errors
    /// [`Error::Full`].
    pub fn open_ping(&mut self, ipv4: bool) -> Result<Handle, Error> {
        let kind = loop {
            let kind = Kind::Ping(ipv4, self.random.next() as u16);
            // There are at most a sixteenth as many sockets as identifiers, so this ends soon.
            if !self.places.contains_key(&kind) {
                break kind;
            }
        };
        self.add(kind)
    }

    fn add(&mut self, kind: Kind) -> Result<Handle, Error> {
        let (queue, told) = (VecDeque::new(), false);
        let socket = Socket { kind, remote: None, hop_limit: 0, queue, queued: 0, lost: 0, error: None, told };
        let handle = self.sockets.insert(socket).ok_or(Error::Full)?;
        self.places.entry(kind).or_default().push(handle);
        Ok(handle)
    }

    /// close(2).
    ///
    /// # Errors
    /// [`Error::Stale`].
    pub fn close(&mut self, handle: Handle) -> Result<(), Error> {
        let socket = self.sockets.remove(handle).ok_or(Error::Stale)?;
        if let Some(here) = self.places.get_mut(&socket.kind) {
            here.retain(|other| *other != handle);
            if here.is_empty() {
                self.places.remove(&socket.kind);
            }
        }
        Ok(())
    }

    /// connect(2): packets go there, and come from there only.
    ///
    /// # Errors
    /// [`Error::Stale`].
    pub fn connect(&mut self, handle: Handle, to: Option<IpAddr>) -> Result<(), Error> {
        self.sockets.get_mut(handle).ok_or(Error::Stale)?.remote = to;
        Ok(())
    }

    /// Routers that its packets may pass; 0: as many as usual.
    ///
    /// # Errors
    /// [`Error::Stale`].
    pub fn set_hop_limit(&mut self, handle: Handle, limit: u8) -> Result<(), Error> {
        self.sockets.get_mut(handle).ok_or(Error::Stale)?.hop_limit = limit;
        Ok(())
    }

    /// Sends from the protocol's header on. ICMPv6 gets its checksum here (RFC 3542, 3.1); that of a ping socket's
    /// echo is made, and its identifier is the socket's.
    ///
    /// # Errors
    /// [`Error::NoDestination`], [`Error::Family`], [`Error::Invalid`] if a ping socket shall send something else
    /// than an echo, [`Error::Told`], and those of [`Ip::way`] and [`Ip::send`].
    pub fn send<P: Parts>(
        &mut self,
        now: Instant,
        ip: &mut Ip<P>,
        handle: Handle,
        bytes: &[u8],
        to: Option<IpAddr>,
    ) -> Result<usize, Error> {
        ip.set_time(now);
        let socket = self.sockets.get_mut(handle).ok_or(Error::Stale)?;
        if let Some(failure) = socket.error.take() {
            return Err(Error::Told(failure));
        }
        let to = to.or(socket.remote).ok_or(Error::NoDestination)?;
        let (Kind::Raw(v4, _) | Kind::Ping(v4, _)) = socket.kind;
        if to.is_ipv4() != v4 {
            return Err(Error::Family);
        }
        let way = ip.way(to, None, 0)?;
        let mut message = bytes.to_vec();
        let protocol = match socket.kind {
            Kind::Raw(_, protocol) => protocol,
            Kind::Ping(v4, identifier) => {
                echo(&mut message, v4, identifier)?;
                if v4 { protocol::ICMP } else { protocol::ICMPV6 }
            }
        };
        let pseudo = Sum::new().with_pseudo_header(way.from, to, protocol, message.len());
        match socket.kind {
            Kind::Ping(true, _) => set_sum(&mut message, Sum::new()),
            _ if !v4 && protocol == protocol::ICMPV6 => set_sum(&mut message, pseudo),
            _ => {}
        }
        let packet = Packet::received(message.into(), Default::default());
        ip.send(now, Departure { hop_limit: socket.hop_limit, ..Departure::new(way, protocol, packet) })?;
        Ok(bytes.len())
    }

    /// The next packet.
    ///
    /// # Errors
    /// [`Error::WouldBlock`], [`Error::Told`], [`Error::Stale`].
    pub fn receive(&mut self, handle: Handle) -> Result<Received, Error> {
        let socket = self.sockets.get_mut(handle).ok_or(Error::Stale)?;
        if let Some(failure) = socket.error.take() {
            return Err(Error::Told(failure));
        }
        let received = socket.queue.pop_front().ok_or(Error::WouldBlock)?;
        socket.queued -= cost(&received);
        Ok(received)
    }

    /// Packets that were lost for want of room.
    ///
    /// # Errors
    /// [`Error::Stale`].
    pub fn lost(&self, handle: Handle) -> Result<u64, Error> {
        self.sockets.get(handle).map(|socket| socket.lost).ok_or(Error::Stale)
    }

    /// Adds the sockets that have got something since the last call, each once.
    pub fn take_events(&mut self, to: &mut Vec<Handle>) {
        for handle in self.events.drain(..) {
            if let Some(socket) = self.sockets.get_mut(handle) {
                socket.told = false;
                to.push(handle);
            }
        }
    }

    /// Gives a packet to all sockets that want it; `false` if there are none of its protocol.
    pub fn input(&mut self, arrived: &Arrived, protocol: u8, packet: &Packet) -> bool {
        if self.places.is_empty() {
            return false;
        }
        let v4 = arrived.is_ipv4();
        let mut takers = self.places.get(&Kind::Raw(v4, protocol)).cloned().unwrap_or_default();
        let taken = !takers.is_empty();
        if let Some(identifier) = answered(v4, protocol, packet) {
            takers.extend(self.places.get(&Kind::Ping(v4, identifier)).into_iter().flatten());
        }
        for handle in takers {
            let received =
                Received { header: arrived.header, interface: arrived.interface, payload: into_parts(packet.clone()) };
            self.queue(handle, arrived.from(), received);
        }
        taken
    }

    fn queue(&mut self, handle: Handle, from: IpAddr, received: Received) {
        let Some(socket) = self.sockets.get_mut(handle) else { return };
        if socket.remote.is_some_and(|remote| remote != from) {
            return;
        }
        let cost = cost(&received);
        if socket.queued > 0 && socket.queued + cost > QUEUE {
            socket.lost += 1;
            return;
        }
        socket.queued += cost;
        socket.queue.push_back(received);
        if !core::mem::replace(&mut socket.told, true) {
            self.events.push(handle);
        }
    }

    /// What ICMP says about an echo of a ping socket.
    pub fn told<P: Parts>(&mut self, now: Instant, ip: &mut Ip<P>, told: &Told) {
        let v4 = told.from.is_ipv4();
        let [kind, _, _, _, a, b, ..] = told.transport[..] else { return };
        if kind != if v4 { v4::ECHO } else { v6::ECHO } {
            return;
        }
        let Some(handle) = self.places.get(&Kind::Ping(v4, u16::from_be_bytes([a, b]))).and_then(|here| here.first())
        else {
            return;
        };
        if let Failure::TooBig(mtu) = told.failure {
            ip.narrow(now, told.to, mtu);
        }
        if let Some(socket) = self.sockets.get_mut(*handle) {
            socket.error = Some(told.failure);
            if !core::mem::replace(&mut socket.told, true) {
                self.events.push(*handle);
            }
        }
    }
}

fn cost(received: &Received) -> usize {
    OVERHEAD + received.payload.iter().map(Bytes::len).sum::<usize>()
}

/// The identifier of an echo that is answered.
fn answered(v4: bool, protocol: u8, packet: &Packet) -> Option<u16> {
    let (icmp, answer) = if v4 { (protocol::ICMP, v4::ECHO_REPLY) } else { (protocol::ICMPV6, v6::ECHO_REPLY) };
    if protocol != icmp {
        return None;
    }
    let mut packet = packet.clone();
    pull(&mut packet, icmp::HEADER);
    match packet.front() {
        &[kind, 0, _, _, a, b, ..] if kind == answer => Some(u16::from_be_bytes([a, b])),
        _ => None,
    }
}

/// Looks whether a message is an echo, and gives it an identifier.
fn echo(message: &mut [u8], v4: bool, identifier: u16) -> Result<(), Error> {
    match message {
        [kind, 0, _, _, a, b, _, _, ..] if *kind == if v4 { v4::ECHO } else { v6::ECHO } => {
            [*a, *b] = identifier.to_be_bytes();
            Ok(())
        }
        _ => Err(Error::Invalid),
    }
}

/// Writes the checksum of a message of ICMP, over what `sum` has already.
fn set_sum(message: &mut [u8], sum: Sum) {
    if let Some(field) = message.get_mut(2..4) {
        field.fill(0);
        let sum = sum.with(message).finish();
        message[2..4].copy_from_slice(&sum.to_be_bytes());
    }
}
