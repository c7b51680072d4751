//! Packets go out.

use core::net::IpAddr;

use packets::{Instant, Packet, checksum::Sum, ipv4::protocol};

use super::{Raw, socket::Kind};
use crate::{
    delivery::Departure,
    error::Error,
    icmp::{v4, v6},
    ip::Ip,
    parts::Parts,
    slab::Handle,
    udp::is_broadcast,
};

/// How a packet is sent.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sending {
    /// Whom it is for, if not for whom the socket is connected to.
    pub to: Option<IpAddr>,
    /// The source, of our addresses: `IP_PKTINFO`.
    pub from: Option<IpAddr>,
    /// The interface's number, or 0.
    pub interface: u32,
    /// `IP_TTL`; 0: the socket's.
    pub hop_limit: u8,
    /// `IP_TOS`, if it is not the socket's.
    pub traffic_class: Option<u8>,
}

impl Raw {
    /// Sends from the protocol's header on. ICMPv6 gets its checksum here (RFC 3542, 3.1); that of a ping socket's
    /// echo is made, and its identifier is the socket's.
    ///
    /// # Errors
    /// [`Error::NoDestination`], [`Error::Family`], [`Error::Invalid`] if a ping socket shall send something else
    /// than an echo, [`Error::Forbidden`] for a broadcast, [`Error::Told`], and those of [`Ip::way`] and [`Ip::send`].
    pub fn send<P: Parts>(
        &mut self,
        now: Instant,
        ip: &mut Ip<P>,
        handle: Handle,
        bytes: &[u8],
        sending: &Sending,
    ) -> Result<usize, Error> {
        ip.set_time(now);
        let socket = self.socket_mut(handle)?;
        if let Some(failure) = socket.error.take() {
            return Err(Error::Told(failure));
        }
        let to = sending.to.or(socket.remote.map(|remote| remote.ip())).ok_or(Error::NoDestination)?;
        let v4 = socket.kind.is_ipv4();
        if to.is_ipv4() != v4 {
            return Err(Error::Family);
        }
        if !socket.settings.broadcast && is_broadcast(ip, to) {
            return Err(Error::Forbidden);
        }
        if sending.from.is_some_and(|from| !ip.has_address(from)) {
            return Err(Error::NotAvailable);
        }
        let interface = if sending.interface == 0 { socket.settings.interface } else { sending.interface };
        let own = socket.local.filter(|own| !own.is_multicast());
        let way = ip.way(to, sending.from.or(own), interface)?;
        let (protocol, message) = message(socket.kind, bytes, way.from, to)?;
        let packet = Packet::received(message.into(), Default::default());
        let settings = &socket.settings;
        let usual = if to.is_multicast() { settings.group_hop_limit } else { settings.hop_limit };
        let departure = Departure {
            hop_limit: if sending.hop_limit == 0 { usual } else { sending.hop_limit },
            traffic_class: sending.traffic_class.unwrap_or(settings.traffic_class),
            ..Departure::new(way, protocol, packet)
        };
        ip.send(now, departure)?;
        Ok(bytes.len())
    }
}

/// The protocol and the bytes of a packet, as they go out.
fn message(kind: Kind, bytes: &[u8], from: IpAddr, to: IpAddr) -> Result<(u8, alloc::vec::Vec<u8>), Error> {
    let mut message = bytes.to_vec();
    let v4 = kind.is_ipv4();
    let protocol = match kind {
        Kind::Raw(_, protocol) => protocol,
        Kind::Ping(_, identifier) => {
            echo(&mut message, v4, identifier)?;
            if v4 { protocol::ICMP } else { protocol::ICMPV6 }
        }
    };
    match kind {
        Kind::Ping(true, _) => set_sum(&mut message, Sum::new()),
        _ if !v4 && protocol == protocol::ICMPV6 => {
            let length = message.len();
            set_sum(&mut message, Sum::new().with_pseudo_header(from, to, protocol, length));
        }
        _ => {}
    }
    Ok((protocol, message))
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
