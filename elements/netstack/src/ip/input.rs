//! Frames come in.

use core::net::IpAddr;

use packets::{Instant, Packet, ethernet, ipv4::protocol};

use super::Ip;
use crate::{
    delivery::{Arrived, Delivery},
    interface::Medium,
    parts::Parts,
    software::pull,
};

impl<P: Parts> Ip<P> {
    /// Takes a frame that an interface has received, and says what of it is for a protocol above: the packet begins
    /// there then.
    pub fn input(&mut self, now: Instant, number: u32, packet: &mut Packet) -> Option<Delivery> {
        self.now = now;
        let interface = self.interface_mut(number)?;
        if !interface.up {
            interface.statistics.receive_dropped += 1;
            return None;
        }
        interface.statistics.received_packets += 1;
        interface.statistics.received_bytes += packet.len() as u64;
        let Medium::Ethernet(own) = interface.medium else {
            return self.input_ip(number, packet, false);
        };
        pull(packet, ethernet::HEADER);
        let Some((&header, _)) = ethernet::parse(packet.front()) else {
            interface.statistics.receive_errors += 1;
            return None;
        };
        let several = header.destination.is_multicast();
        interface.statistics.received_multicast += u64::from(several);
        // Our own frames come back from bridges; no station sends from an address of several.
        if !several && header.destination != own || header.source == own || header.source.is_multicast() {
            interface.statistics.receive_dropped += 1;
            return None;
        }
        packet.advance(ethernet::HEADER);
        match header.kind.get() {
            ethernet::IPV4 if P::IPV4 => self.input_v4(number, packet, several),
            ethernet::IPV6 if P::IPV6 => self.input_v6(number, packet, several),
            ethernet::ARP if P::IPV4 => {
                self.input_arp(number, own, packet);
                None
            }
            _ => {
                self.dropped(number);
                None
            }
        }
    }

    /// Takes a packet of IP that came without a header of a link.
    pub(super) fn input_ip(&mut self, number: u32, packet: &mut Packet, several: bool) -> Option<Delivery> {
        pull(packet, 1);
        match packet.front().first().map(|byte| byte >> 4) {
            Some(4) if P::IPV4 => self.input_v4(number, packet, several),
            Some(6) if P::IPV6 => self.input_v6(number, packet, several),
            _ => {
                self.dropped(number);
                None
            }
        }
    }

    /// Takes a packet of ours that is for ourselves too.
    pub fn input_looped(&mut self, now: Instant, number: u32, packet: &mut Packet) -> Option<Delivery> {
        self.now = now;
        self.looping = true;
        let delivery = self.input_ip(number, packet, true);
        self.looping = false;
        delivery
    }

    pub(super) fn dropped(&mut self, number: u32) {
        if let Some(interface) = self.interface_mut(number) {
            interface.statistics.receive_dropped += 1;
        }
    }

    /// Hands a whole packet to the protocol that it carries: those of this layer first.
    pub(super) fn dispatch(
        &mut self,
        arrived: Arrived,
        protocol: u8,
        told_at: u32,
        packet: &mut Packet,
    ) -> Option<Delivery> {
        let v4 = arrived.is_ipv4();
        self.counts(v4).delivered += 1;
        match protocol {
            protocol::ICMP if v4 && P::IPV4 => self.input_icmp(arrived, packet),
            protocol::ICMPV6 if !v4 && P::IPV6 => self.input_icmp(arrived, packet),
            protocol::IGMP if v4 && P::MULTICAST => self.input_igmp(arrived, packet),
            protocol::TCP if P::TCP => Some(Delivery { arrived, protocol, told_at, told: None }),
            protocol::UDP_LITE if P::UDP => Some(Delivery { arrived, protocol, told_at, told: None }),
            protocol::UDP if P::UDP || P::DHCP => Some(Delivery { arrived, protocol, told_at, told: None }),
            _ if P::RAW => Some(Delivery { arrived, protocol, told_at, told: None }),
            _ => {
                self.unknown_protocol(&arrived, told_at, packet);
                None
            }
        }
    }

    /// Nobody here speaks the protocol: RFC 1122, 3.2.2.1; RFC 8200, 4.
    pub fn unknown_protocol(&mut self, arrived: &Arrived, told_at: u32, packet: &Packet) {
        self.counts(arrived.is_ipv4()).unknown_protocols += 1;
        self.problem(arrived, crate::icmp::Problem::Protocol(told_at), packet);
    }

    /// Whether packets from an address can be: RFC 1122, 3.2.1.3; RFC 4291, 2.5 and 2.7.
    pub(super) fn is_martian(&self, number: u32, from: IpAddr) -> bool {
        let loops = self.interface(number).is_some_and(|interface| interface.medium == Medium::Loopback);
        if from.is_multicast() {
            return true;
        }
        if loops || self.looping {
            return false;
        }
        let of_loopback = match from {
            IpAddr::V4(from) => return self.is_martian_v4(false, from),
            IpAddr::V6(from) => from.is_loopback(),
        };
        // One with our own source is forged, or our own that came round.
        of_loopback || self.is_ours(number, from)
    }
}
