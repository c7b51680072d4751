//! Packets of IPv6 come in: RFC 8200, RFC 4291.

use core::net::Ipv6Addr;

use packets::{
    Packet,
    ipv6::{self, extension},
};

use super::Ip;
use crate::{
    delivery::{Arrived, Cast, Delivery, Header},
    extensions::{self, Wrong},
    icmp::Problem,
    interface::Medium,
    parts::Parts,
    software::{flatten, pull},
};

impl<P: Parts> Ip<P> {
    pub(super) fn input_v6(&mut self, number: u32, packet: &mut Packet, several: bool) -> Option<Delivery> {
        self.counts(false).received += 1;
        pull(packet, ipv6::HEADER);
        let Ok(&header) = ipv6::parse(packet.front(), packet.len()) else {
            self.counts(false).header_errors += 1;
            return None;
        };
        let Some(cast) = self.cast_v6(number, header.source(), header.destination()) else {
            self.counts(false).address_errors += 1;
            return None;
        };
        packet.truncate(ipv6::HEADER + usize::from(header.payload_length.get()));
        packet.advance(ipv6::HEADER);
        let arrived =
            Arrived { interface: number, header: Header::V6(header), cast, for_several: several, fragmented: false };
        self.payload_v6(arrived, header.next_header, packet)
    }

    /// Walks over the extension headers of what is behind the fixed one.
    pub(super) fn payload_v6(&mut self, arrived: Arrived, first: u8, packet: &mut Packet) -> Option<Delivery> {
        if !extensions::is_extension(first) {
            return self.dispatch(arrived, first, 6, packet);
        }
        flatten(packet);
        let chain = match extensions::walk(packet.front(), first) {
            Ok(chain) => chain,
            Err(wrong) => {
                self.wrong_extension(&arrived, wrong, packet);
                return None;
            }
        };
        packet.advance(chain.length);
        match (chain.fragment, chain.protocol) {
            // One in a packet that was put together cannot be: RFC 8200, 4.5 has one level.
            (Some(_), _) if arrived.fragmented => None,
            (Some(fragment), _) => self.fragment_v6(arrived, fragment, chain.length, packet),
            (None, extension::NONE) => None,
            (None, protocol) => self.dispatch(arrived, protocol, chain.told_at as u32, packet),
        }
    }

    pub(super) fn wrong_extension(&mut self, arrived: &Arrived, wrong: Wrong, packet: &Packet) {
        self.counts(false).header_errors += 1;
        if let Wrong::Problem(code, place, even_for_groups) = wrong {
            let arrived = if even_for_groups { arrived.as_if_ours() } else { *arrived };
            self.problem(&arrived, Problem::Parameter(code, place), packet);
        }
    }

    fn cast_v6(&self, number: u32, from: Ipv6Addr, to: Ipv6Addr) -> Option<Cast> {
        let loops = self.interface(number)?.medium == Medium::Loopback;
        if self.is_martian(number, from.into()) || to.is_loopback() && !loops || to.is_unspecified() {
            return None;
        }
        // RFC 4291, 2.7: interface-local groups come from ourselves alone, and scope 0 is nobody's.
        if to.is_multicast() {
            let reach = to.segments()[0] & 0xf;
            let allowed = reach > 1 || reach == 1 && loops;
            return (allowed && self.is_member(number, to.into())).then_some(Cast::Group);
        }
        // RFC 4291, 2.1 allows both, but a link's addresses never leave it.
        let ours = self.is_ours(number, to.into()) || loops && self.has_address(to.into());
        ours.then_some(Cast::Ours)
    }
}
