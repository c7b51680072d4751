//! What TCP needs from below, and what it is told by it.

use core::net::IpAddr;

use packets::{Head, Instant, Packet};

use crate::Unreachable;

/// The way to an address, kept by a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Route {
    /// The address that packets come from.
    pub source: IpAddr,
    /// The longest payload of IP that the path is known to carry, in bytes: the MTU without the header of IP.
    pub payload: u16,
    /// The longest payload of IP that the interface itself carries, whatever is known of the path.
    pub link: u16,
    /// The longest payload of IP that may be handed over at once: the device or the network cuts it into segments.
    /// `payload` or less: nobody does.
    pub burst: u32,
    /// The interface, by the network's number.
    pub interface: u32,
    /// It ends at this machine, and nothing is lost on it: two sockets of one [`Tcp`](crate::Tcp) may have to do with
    /// each other, and hand bytes over without segments.
    pub near: bool,
}

/// A segment on its way down.
#[derive(Debug)]
pub struct Outgoing {
    /// This machine's address.
    pub from: IpAddr,
    /// The other's.
    pub to: IpAddr,
    /// Of the route that it was made for.
    pub interface: u32,
    /// Differentiated services and congestion notification.
    pub traffic_class: u8,
    /// Routers that it may pass; 0: as the network likes.
    pub hop_limit: u8,
    /// It is longer than the path is known to carry, and must not be cut: RFC 4821.
    pub probe: bool,
    /// The segment: the header of TCP begins its head. Its checksum is always
    /// [`Partial`](packets::Checksum::Partial) with `start` 0, so the field holds the sum of the pseudo header. Who
    /// puts headers before it adds their bytes to `start`, or completes the checksum where no device does.
    pub packet: Packet,
}

/// A segment as most are: over IPv4, in one piece, and with nothing for a device to cut.
#[derive(Debug)]
pub struct Usual<'a> {
    /// This machine's address, and the other's.
    pub ends: (u32, u32),
    /// As of an [`Outgoing`].
    pub traffic_class: u8,
    /// As of an [`Outgoing`].
    pub hop_limit: u8,
    /// The header with its options, in the first `header_length` bytes. Its checksum is zero: the network sees to it.
    pub header: &'a [u8; Usual::HEADER],
    /// Bytes of that.
    pub header_length: usize,
    /// What is behind it, in memory that has room for all headers before it. Whoever sends it takes it out.
    pub payload: &'a mut Head,
}

impl Usual<'_> {
    /// Bytes of a header with timestamps.
    pub const HEADER: usize = 32;
}

/// What TCP needs from below.
pub trait Network {
    /// The way to an address, from `from` if the caller has chosen, over `interface` if it is not 0.
    ///
    /// # Errors
    /// There is none.
    fn route(&mut self, to: IpAddr, from: Option<IpAddr>, interface: u32) -> Result<Route, Unreachable>;

    /// Whether an address is one of this machine's, for who binds to it.
    fn is_local(&self, address: IpAddr) -> bool;

    /// Sends a segment, or drops it. `false`: this machine itself has no room for it now, so it has not begun its way.
    /// Its packet is taken out, if anybody wants it.
    fn send(&mut self, now: Instant, outgoing: &mut Outgoing) -> bool;

    /// As [`Network::send`], in few steps, if the way is known and as most are. `false`: it is not, and nothing was
    /// done.
    fn send_usual(&mut self, _now: Instant, _segment: Usual<'_>) -> bool {
        false
    }

    /// The other side has acknowledged segments with so many bytes of payload of IP, where other lengths do not pass or
    /// are not known to: RFC 4821, 4.
    fn proved(&mut self, _now: Instant, _to: IpAddr, _payload: u16) {}

    /// The other side has answered, so its neighbour entry is alive: RFC 4861, 7.3.1.
    fn confirm(&mut self, _now: Instant, _to: IpAddr, _interface: u32) {}
}

/// What the header of IP said about a segment that has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// Its source.
    pub from: IpAddr,
    /// Its destination: one of this machine's addresses, never a broadcast or multicast one.
    pub to: IpAddr,
    /// The interface that it came by.
    pub interface: u32,
    /// Differentiated services and congestion notification.
    pub traffic_class: u8,
    /// What was left of its hop limit.
    pub hop_limit: u8,
}

/// What ICMP says about a segment of ours: RFC 792, RFC 4443, RFC 1191, RFC 8201.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// It was too long for a link that carries so many bytes of payload of IP.
    TooBig(u16),
    /// It did not arrive.
    Unreachable(Unreachable),
}
