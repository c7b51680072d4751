//! Messages of ICMP and ICMPv6 come in.

use alloc::boxed::Box;
use core::net::IpAddr;

use packets::{Bytes, Packet, ipv4::protocol};

use super::Ip;
use crate::{
    delivery::{Arrived, Cast, Delivery, Departure, Told},
    icmp::{self, v4, v6},
    parts::Parts,
    software::{into_parts, pull},
};

/// Bytes of a quoted transport header that sockets are told: TCP's with all options.
const QUOTED: usize = 64;

impl<P: Parts> Ip<P> {
    pub(super) fn input_icmp(&mut self, arrived: Arrived, packet: &mut Packet) -> Option<Delivery> {
        let v4 = arrived.is_ipv4();
        let protocol = if v4 { protocol::ICMP } else { protocol::ICMPV6 };
        self.icmp_counts(v4).received += 1;
        // Loopback hands over sums that nobody has made; a device's word counts too.
        if packet.offload.checksum == packets::Checksum::Complete
            && !icmp::is_sound(packet, (!v4).then(|| arrived.ends()))
        {
            self.icmp_counts(v4).bad_checksums += 1;
            return None;
        }
        pull(packet, icmp::HEADER);
        let Some(&[kind, code, _, _, a, b, c, d]) = packet.front().first_chunk::<8>() else {
            self.icmp_counts(v4).receive_errors += 1;
            return None;
        };
        let word = u32::from_be_bytes([a, b, c, d]);
        let mut told = None;
        match (v4, kind) {
            (true, v4::ECHO) | (false, v6::ECHO) => self.echo(&arrived, word, packet),
            // RFC 8504, 5.3 lets hosts ignore them, and RFC 5927, 7.1 says why.
            (true, v4::REDIRECT) | (false, v6::REDIRECT) => self.icmp_counts(v4).redirects_ignored += 1,
            (false, v6::ROUTER_SOLICITATION..=v6::NEIGHBOUR_ADVERTISEMENT) => {
                self.discovery(&arrived, kind, code, packet)
            }
            (false, v6::LISTENER_QUERY..=v6::LISTENER_DONE) => self.listener_message(&arrived, kind, packet),
            (true, v4::UNREACHABLE..=v4::PARAMETER) | (false, v6::UNREACHABLE..=v6::PARAMETER) => {
                told = self.quotation(&arrived, kind, code, word, packet);
            }
            _ => {}
        }
        (P::RAW || told.is_some()).then_some(Delivery { arrived, protocol, told_at: 6, told: told.map(Box::new) })
    }

    /// RFC 1122, 3.2.2.6 and RFC 4443, 4.2. One for everyone is not answered in IPv4, as Linux has it; in IPv6 it is.
    fn echo(&mut self, arrived: &Arrived, word: u32, packet: &Packet) {
        let v4 = arrived.is_ipv4();
        self.icmp_counts(v4).echoes_received += 1;
        let answered = arrived.cast == Cast::Ours || !v4 && arrived.cast == Cast::Group;
        if !answered || arrived.from().is_unspecified() {
            return;
        }
        if !self.echoes.take(self.now, 1) {
            self.icmp_counts(v4).rate_limited += 1;
            return;
        }
        let (from, to) = arrived.ends();
        let source = (arrived.cast == Cast::Ours).then_some(to);
        let interface = if crate::address::is_of_link(from) { arrived.interface } else { 0 };
        let Ok(way) = self.way(from, source, interface) else { return };
        let mut rest = packet.clone();
        rest.advance(icmp::HEADER);
        let kind = if v4 { v4::ECHO_REPLY } else { v6::ECHO_REPLY };
        let answer = icmp::message(kind, 0, word, into_parts(rest), (!v4).then_some((way.from, way.to)));
        let class = arrived.traffic_class();
        let departure = Departure { traffic_class: class, ..Departure::new(way, icmp_protocol(v4), answer) };
        self.icmp_counts(v4).echo_replies_sent += 1;
        self.icmp_counts(v4).sent += 1;
        let _ = self.send(self.now, departure);
    }

    /// An error about a packet that we are said to have sent.
    fn quotation(&mut self, arrived: &Arrived, kind: u8, code: u8, word: u32, packet: &Packet) -> Option<Told> {
        let v4 = arrived.is_ipv4();
        let mut bytes = [0; 1280];
        let count = packet.copy_to(&mut bytes);
        let body = bytes.get(icmp::HEADER..count).unwrap_or(&[]);
        let quoted = icmp::quoted(body, v4)?;
        self.icmp_counts(v4).unreachable_received += 1;
        // RFC 5927, 4.1: it must be of ours. Whether it is on its way, the socket knows.
        if !self.has_address(quoted.from) || arrived.cast != Cast::Ours {
            return None;
        }
        let failure = icmp::failure(v4, kind, code, word, quoted.length)?;
        let transport = Bytes::copy_from_slice(&quoted.transport[..quoted.transport.len().min(QUOTED)]);
        Some(Told {
            from: quoted.from,
            to: quoted.to,
            protocol: quoted.protocol,
            transport,
            failure,
            by: Some(arrived.from()),
            message: [kind, code],
        })
    }

    /// A packet of ours could not leave: the socket is told what a router would have said.
    pub(super) fn failed_here(&mut self, packet: &Packet) {
        let mut bytes = [0; packets::HEAD];
        let count = packet.copy_to(&mut bytes);
        let v4 = bytes[0] >> 4 == 4;
        let Some(quoted) = icmp::quoted(&bytes[..count], v4) else { return };
        let transport = Bytes::copy_from_slice(&quoted.transport[..quoted.transport.len().min(QUOTED)]);
        let (from, to, protocol) = (quoted.from, quoted.to, quoted.protocol);
        self.told.push(Told {
            from,
            to,
            protocol,
            transport,
            failure: crate::error::Failure::Host,
            by: None,
            message: [0, 0],
        });
    }
}

/// The number of ICMP of a version.
pub(super) const fn icmp_protocol(v4: bool) -> u8 {
    if v4 { protocol::ICMP } else { protocol::ICMPV6 }
}

/// Whether a source can be told something: RFC 1122, 3.2.2.
pub(super) fn can_be_told(from: IpAddr) -> bool {
    match from {
        IpAddr::V4(from) => {
            !from.is_unspecified() && !from.is_multicast() && !from.is_broadcast() && from.octets()[0] != 0
        }
        IpAddr::V6(from) => !from.is_unspecified() && !from.is_multicast(),
    }
}
