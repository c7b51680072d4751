//! Datagrams go out.

use core::net::{IpAddr, SocketAddr};

use packets::{
    Checksum, Instant, Packet, Parts as Stretches, Segmentation, SegmentationKind, checksum::Sum, ipv4::protocol, udp,
};
use zerocopy::IntoBytes;

use super::{LONGEST, Settings, Udp, is_broadcast};
use crate::{
    delivery::{Cutting, Departure, Plain, Way},
    error::Error,
    ip::Ip,
    parts::Parts,
    slab::Handle,
    ways::Question,
};

/// Datagrams that one call sends at most: Linux' `UDP_MAX_SEGMENTS`.
const SEGMENTS: usize = 128;

/// How a datagram is sent: what sendmsg(2) takes beside its bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sending {
    /// Whom it is for, if not for whom the socket is connected to.
    pub to: Option<SocketAddr>,
    /// The source, of our addresses: `IP_PKTINFO`.
    pub from: Option<IpAddr>,
    /// The interface's number, or 0.
    pub interface: u32,
    /// `IP_TTL`; 0: the socket's.
    pub hop_limit: u8,
    /// `IP_TOS`, if it is not the socket's.
    pub traffic_class: Option<u8>,
    /// `UDP_SEGMENT`: the bytes are datagrams of this length each.
    pub segment: Option<u16>,
}

impl Udp {
    /// Sends a datagram: sendmsg(2). Gives the bytes of payload.
    ///
    /// # Errors
    /// [`Error::NoDestination`], [`Error::TooBig`], [`Error::Forbidden`] for a broadcast, [`Error::Told`] what ICMP
    /// said about one sent before, those of [`Ip::way`], and [`Error::Stale`].
    pub fn send<P: Parts>(
        &mut self,
        now: Instant,
        ip: &mut Ip<P>,
        handle: Handle,
        payload: Stretches,
        sending: &Sending,
    ) -> Result<usize, Error> {
        self.send_packet(now, ip, handle, &mut with_payload(payload), sending)
    }

    /// As [`Udp::send`], of a packet that is the payload, and is taken: what is short may lie in its head, and is not
    /// copied any more.
    ///
    /// # Errors
    /// As [`Udp::send`].
    pub fn send_packet<P: Parts>(
        &mut self,
        now: Instant,
        ip: &mut Ip<P>,
        handle: Handle,
        packet: &mut Packet,
        sending: &Sending,
    ) -> Result<usize, Error> {
        ip.set_time(now);
        let socket = self.socket_mut(handle)?;
        if let Some(failure) = socket.error.take() {
            return Err(Error::Told(failure));
        }
        let to = sending.to.or(socket.remote).ok_or(Error::NoDestination)?;
        let to = SocketAddr::new(to.ip().to_canonical(), to.port());
        if !socket.speaks(to.ip()) {
            return Err(Error::Family);
        }
        if to.port() == 0 {
            return Err(Error::Invalid);
        }
        if socket.local.is_none() {
            self.bind_any(handle)?;
        }
        let question = self.question(ip, handle, to.ip(), sending)?;
        let length = packet.len();
        let socket = self.socket(handle)?;
        let settings = &socket.settings;
        let source = socket.local.map_or(0, |(_, port)| port);
        let class = sending.traffic_class.unwrap_or(settings.traffic_class);
        if !socket.lite && sending.segment.is_none() && settings.cutting == Cutting::Here && !settings.no_checksum {
            let hop_limit = if sending.hop_limit == 0 { settings.hop_limit } else { sending.hop_limit };
            let how = Plain { protocol: protocol::UDP, hop_limit, traffic_class: class };
            if self.queue_here(ip, &question, &how, [source, to.port()], packet) {
                self.statistics.sent += 1;
                return Ok(length);
            }
            let put =
                |packet: &mut Packet, from| put_header((from, source), (to.ip(), to.port()), packet, length, false);
            if ip.depart_as_before(&question, (&how, udp::HEADER), packet, put) {
                self.statistics.sent += 1;
                return Ok(length);
            }
        }
        let way = self.way(ip, handle, question)?;
        let socket = self.socket(handle)?;
        let settings = &socket.settings;
        if length > LONGEST {
            return Err(Error::TooBig(LONGEST as u16));
        }
        if socket.lite {
            return self.send_lite(now, ip, handle, packet, (way, to.port()), sending);
        }
        let cut = segmentation(&way, length, sending.segment)?;
        let no_checksum = settings.no_checksum && to.is_ipv4() && cut.is_none();
        let mut departure = departure(settings, sending, way, protocol::UDP, packet);
        put_header((way.from, source), (way.to, to.port()), &mut departure.packet, length, no_checksum);
        departure.packet.offload.segmentation = cut;
        ip.depart(now, &mut departure)?;
        self.statistics.sent += 1;
        Ok(length)
    }

    /// Which way is asked for.
    #[inline]
    fn question<P: Parts>(&self, ip: &Ip<P>, handle: Handle, to: IpAddr, sending: &Sending) -> Result<Question, Error> {
        let socket = self.socket(handle)?;
        let settings = &socket.settings;
        let several = to.is_multicast();
        let interface = [sending.interface, settings.interface, if several { settings.group_interface } else { 0 }];
        let interface = interface.into_iter().find(|number| *number != 0).unwrap_or(0);
        let own = Some(socket.address()).filter(|own| !own.is_unspecified() && !own.is_multicast());
        // Who is not bound to an address has a way's, which is no broadcast.
        let usable = |own: &IpAddr| own.is_ipv4() == to.is_ipv4() && !(socket.bound && is_broadcast(ip, *own));
        let from = sending.from.or(own.filter(usable));
        if sending.from.is_some_and(|from| !ip.has_address(from)) {
            return Err(Error::NotAvailable);
        }
        Ok((to, from, interface))
    }

    fn way<P: Parts>(&self, ip: &mut Ip<P>, handle: Handle, (to, from, interface): Question) -> Result<Way, Error> {
        let way = ip.known_way(to, from, interface)?;
        if way.several && !self.socket(handle)?.settings.broadcast && is_broadcast(ip, to) {
            return Err(Error::Forbidden);
        }
        Ok(way)
    }
}

/// A packet that is a payload, on its way.
#[inline]
pub(super) fn departure(
    settings: &Settings,
    sending: &Sending,
    way: Way,
    protocol: u8,
    packet: &mut Packet,
) -> Departure {
    let hops = if way.to.is_multicast() { settings.group_hop_limit } else { settings.hop_limit };
    Departure {
        hop_limit: if sending.hop_limit == 0 { hops } else { sending.hop_limit },
        traffic_class: sending.traffic_class.unwrap_or(settings.traffic_class),
        cutting: settings.cutting,
        to_ourselves: settings.group_loop,
        ..Departure::new(way, protocol, core::mem::take(packet))
    }
}

/// How the device shall cut what is sent, if it is more than one datagram.
fn segmentation(way: &Way, length: usize, segment: Option<u16>) -> Result<Option<Segmentation>, Error> {
    let Some(size) = segment.filter(|size| *size > 0 && usize::from(*size) < length) else { return Ok(None) };
    let header = udp::HEADER + if way.to.is_ipv4() { packets::ipv4::HEADER } else { packets::ipv6::HEADER };
    if usize::from(size) + header > way.mtu || length.div_ceil(size.into()) > SEGMENTS {
        return Err(Error::Invalid);
    }
    Ok(Some(Segmentation { kind: SegmentationKind::Udp, size }))
}

/// A datagram with its header; small payloads are copied behind it. Its checksum is partial, or none.
pub fn datagram(from: (IpAddr, u16), to: (IpAddr, u16), payload: Stretches, no_checksum: bool) -> Packet {
    let mut packet = with_payload(payload);
    let length = packet.len();
    put_header(from, to, &mut packet, length, no_checksum);
    packet
}

/// A packet that is a payload. One that is short is copied to its head.
fn with_payload(payload: Stretches) -> Packet {
    let mut packet = Packet::default();
    match &payload[..] {
        [only] if packet.head.push(only) => {}
        _ => packet.parts = payload,
    }
    packet
}

/// Puts a header before a payload of so many bytes. Its checksum is partial, or none.
fn put_header(from: (IpAddr, u16), to: (IpAddr, u16), packet: &mut Packet, payload: usize, no_checksum: bool) {
    let length = udp::HEADER + payload;
    let pseudo = || Sum::new().with_pseudo_header(from.0, to.0, protocol::UDP, length).folded();
    let header = udp::Header {
        source: from.1.into(),
        destination: to.1.into(),
        length: (length as u16).into(),
        checksum: if no_checksum { 0 } else { pseudo() }.into(),
    };
    // There is headroom for it.
    packet.head.prepend(header.as_bytes());
    if !no_checksum {
        packet.offload.checksum = Checksum::Partial { start: 0, offset: udp::CHECKSUM_OFFSET as u16 };
    }
}
