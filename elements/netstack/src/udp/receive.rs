//! Datagrams come in.

use core::{
    hash::BuildHasher,
    net::{IpAddr, SocketAddr},
};

use packets::{Checksum, Packet, checksum::Sum, ipv4::protocol, udp};
use smallvec::SmallVec;

use super::{Datagram, Here, Local, Udp, port_of};
use crate::{
    delivery::{Arrived, Cast},
    icmp::Problem,
    ip::Ip,
    parts::Parts,
    slab::Handle,
    software::{into_parts, pull, slice},
};

impl Udp {
    /// Takes a datagram from its header on. One that nobody wants is answered by ICMP.
    pub fn input<P: Parts>(&mut self, ip: &mut Ip<P>, arrived: &Arrived, packet: &mut Packet) {
        self.statistics.received += 1;
        pull(packet, udp::HEADER);
        let Ok(&header) = udp::parse(packet.front(), packet.len()) else {
            self.statistics.receive_errors += 1;
            return;
        };
        // A device that has put datagrams together leaves the first one's length.
        if packet.offload.segmentation.is_none() {
            packet.truncate(header.length.get().into());
        }
        if !is_sound(arrived, packet) {
            self.statistics.bad_checksums += 1;
            self.statistics.receive_errors += 1;
            return;
        }
        let (from, to) = arrived.ends();
        let (from, to) = (SocketAddr::new(from, header.source.get()), SocketAddr::new(to, header.destination.get()));
        let takers = self.takers((arrived.interface, arrived.cast), from, to, false);
        let Some((&last, others)) = takers.split_last() else {
            self.statistics.no_ports += 1;
            return ip.problem(arrived, Problem::Port, packet);
        };
        self.hand_over(ip, arrived, (from, to), packet, (last, others));
    }

    /// Gives a datagram to the last of its takers, and a copy to the others.
    pub(super) fn hand_over<P: Parts>(
        &mut self,
        ip: &Ip<P>,
        arrived: &Arrived,
        (from, to): (SocketAddr, SocketAddr),
        packet: &mut Packet,
        (last, others): (Handle, &[Handle]),
    ) {
        let segment = packet.offload.segmentation.map(|segmentation| segmentation.size);
        packet.advance(udp::HEADER);
        let (hop_limit, traffic_class) = (arrived.hop_limit(), arrived.traffic_class());
        let (interface, at, payload) = (arrived.interface, ip.time(), core::mem::take(packet));
        let datagram = Datagram { from, to, interface, hop_limit, traffic_class, at, segment, payload };
        if others.is_empty() && segment.is_none() {
            // As nearly all are.
            return self.queue_one(last, datagram);
        }
        for other in others {
            self.queue(*other, datagram.clone());
        }
        self.queue(last, datagram);
    }

    /// The sockets that a datagram is for: one, or with a group or a broadcast all that are bound to it.
    #[inline]
    pub(super) fn takers(&self, (interface, cast): (u32, Cast), from: SocketAddr, to: SocketAddr, lite: bool) -> Here {
        let (port, v4) = (port_of(to.port(), lite), to.is_ipv4());
        let Some(all) = self.ports.get(&port) else { return Here::new() };
        if let [only] = all[..]
            && let Some(socket) = self.sockets.get(only)
        {
            let takes = socket.hears(from, to) && socket.takes(interface, v4);
            return if takes { Here::from_buf([only]) } else { Here::new() };
        }
        let wildcard = if v4 { Local::AnyV4 } else { Local::AnyV6 };
        let both = v4.then_some((Local::AnyV6, port, None));
        let exact = Local::Address(to.ip());
        let places = [(exact, port, Some(from)), (exact, port, None), (wildcard, port, None)];
        let places = places.into_iter().chain(both).filter_map(|place| self.places.get(&place));
        let takes = |handle: &&Handle| self.sockets.get(**handle).is_some_and(|socket| socket.takes(interface, v4));
        if cast != Cast::Ours {
            return places.flatten().filter(takes).copied().collect();
        }
        for here in places {
            let taking: SmallVec<[Handle; 4]> = here.iter().filter(takes).copied().collect();
            if let Some(one) = self.choose(&taking, from, to) {
                return Here::from_slice(&[one]);
            }
        }
        Here::new()
    }

    /// Of several sockets at one place: the sender's own one if they share the port, or else the last that came.
    fn choose(&self, taking: &[Handle], from: SocketAddr, to: SocketAddr) -> Option<Handle> {
        let last = *taking.last()?;
        if taking.len() == 1 || !self.sockets.get(last)?.settings.reuse_port {
            return Some(last);
        }
        let index = self.spread.hash_one((from, to)) as usize % taking.len();
        Some(taking[index])
    }

    /// Gives a datagram to a socket: as one, or as the several that it is.
    fn queue(&mut self, handle: Handle, datagram: Datagram) {
        let whole = self.sockets.get(handle).is_some_and(|socket| socket.settings.coalesced);
        match datagram.segment.filter(|size| *size > 0) {
            Some(size) if !whole => {
                let parts = into_parts(datagram.payload.clone());
                for from in (0..datagram.len().max(1)).step_by(size.into()) {
                    let payload = Packet { parts: slice(&parts, from, size.into()), ..Packet::default() };
                    let Datagram { from, to, interface, hop_limit, traffic_class, at, .. } = datagram;
                    self.queue_one(
                        handle,
                        Datagram { from, to, interface, hop_limit, traffic_class, at, segment: None, payload },
                    );
                }
            }
            _ => self.queue_one(handle, datagram),
        }
    }

    pub(super) fn queue_one(&mut self, handle: Handle, datagram: Datagram) {
        let Some(socket) = self.sockets.get_mut(handle) else { return };
        let cost = datagram.cost();
        // An empty queue takes any datagram, as Linux' does.
        if socket.queued > 0 && socket.queued + cost > socket.settings.receive_limit {
            socket.lost += 1;
            let statistics = if socket.lite { &mut self.lite } else { &mut self.statistics };
            statistics.queue_overflows += 1;
            return;
        }
        socket.queued += cost;
        socket.queue.push_back(datagram);
        if !core::mem::replace(&mut socket.told, true) {
            self.events.push(handle);
        }
    }
}

/// Whether the checksum is right, or nobody has to look. Over IPv4 there may be none: RFC 768; over IPv6 there must be
/// one: RFC 8200, 8.1.
pub fn is_sound(arrived: &Arrived, packet: &Packet) -> bool {
    let checksum = packet.front().get(udp::CHECKSUM_OFFSET..udp::HEADER);
    if checksum == Some(&[0, 0]) {
        return arrived.is_ipv4();
    }
    if packet.offload.checksum != Checksum::Complete {
        return true;
    }
    let (from, to): (IpAddr, IpAddr) = arrived.ends();
    let sum = Sum::new().with_pseudo_header(from, to, protocol::UDP, packet.len());
    packet.stretches().fold(sum, Sum::with).is_right()
}
