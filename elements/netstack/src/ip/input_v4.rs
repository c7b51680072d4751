//! Packets of IPv4 come in: RFC 791, RFC 1122.

use core::net::{IpAddr, Ipv4Addr};

use packets::{
    Packet,
    ipv4::{self, protocol},
};

use super::Ip;
use crate::{
    delivery::{Arrived, Cast, Delivery, Header},
    interface::Medium,
    parts::Parts,
    software::pull,
};

impl<P: Parts> Ip<P> {
    pub(super) fn input_v4(&mut self, number: u32, packet: &mut Packet, several: bool) -> Option<Delivery> {
        self.counts(true).received += 1;
        pull(packet, ipv4::LONGEST_HEADER);
        let Ok(&header) = ipv4::parse(packet.front(), packet.len()) else {
            self.counts(true).header_errors += 1;
            return None;
        };
        let length = header.length();
        let options = packet.front().get(ipv4::HEADER..length).unwrap_or(&[]);
        if !options.is_empty() && !are_harmless(options) {
            self.counts(true).header_errors += 1;
            return None;
        }
        let Some(cast) = self.familiar_cast_v4(number, &header) else {
            self.counts(true).address_errors += 1;
            return None;
        };
        // RFC 1122, 3.3.6: one for a single host in a frame for all is an attack, or a mistake.
        if several && cast == Cast::Ours {
            self.counts(true).discarded += 1;
            return None;
        }
        packet.truncate(header.total_length.get().into());
        packet.advance(length);
        let arrived =
            Arrived { interface: number, header: Header::V4(header), cast, for_several: several, fragmented: false };
        if header.is_fragment() {
            return self.fragment_v4(arrived, header, packet);
        }
        self.dispatch(arrived, header.protocol, 9, packet)
    }

    /// As [`Ip::cast_v4`], which is asked again only when something has changed, or somebody else has sent.
    #[inline]
    fn familiar_cast_v4(&mut self, number: u32, header: &ipv4::Header) -> Option<Cast> {
        if self.is_familiar(number, header) {
            return Some(Cast::Ours);
        }
        let cast = self.cast_v4(number, header)?;
        if cast == Cast::Ours && !self.looping {
            self.familiar = Some((number, header.source(), header.destination(), self.version()));
        }
        Some(cast)
    }

    /// Whether a packet is between the same addresses as one before, which was for us.
    #[inline(always)]
    pub(crate) fn is_familiar(&self, number: u32, header: &ipv4::Header) -> bool {
        let key = (number, header.source(), header.destination(), self.version());
        self.familiar == Some(key) && !self.looping
    }

    /// Whom a packet is for, or `None` if it is not for us or cannot be.
    #[inline(never)]
    fn cast_v4(&self, number: u32, header: &ipv4::Header) -> Option<Cast> {
        let (from, to) = (header.source(), header.destination());
        let interface = self.interface(number)?;
        let loops = interface.medium == Medium::Loopback;
        if self.is_martian_v4(loops, from) || to.is_loopback() && !loops {
            return None;
        }
        let cast = if to.is_loopback() || self.local.has_v4(to) {
            Cast::Ours
        } else if to.is_multicast() {
            self.is_member(number, to.into()).then_some(Cast::Group)?
        } else if to.is_broadcast() || self.is_broadcast(number, to) {
            Cast::Broadcast
        } else if self.is_configuring(number, header) {
            Cast::Configuring
        } else {
            return None;
        };
        // RFC 1122, 3.2.1.3 (a): nobody's packets are for everyone only; a network's broadcast is nobody's source.
        let nobody = from.octets()[0] == 0 && !matches!(cast, Cast::Broadcast | Cast::Group | Cast::Configuring);
        (!nobody && !self.is_broadcast(number, from)).then_some(cast)
    }

    /// Whether packets from an address cannot be: RFC 1122, 3.2.1.3. Nobody has forged those that we loop back.
    pub(super) fn is_martian_v4(&self, loops: bool, from: Ipv4Addr) -> bool {
        // The highest are multicast, reserved, and everyone.
        if loops || self.looping || from.is_multicast() {
            return from.is_multicast();
        }
        from.is_loopback() || from.octets()[0] >= 240 || self.local.has_v4(from)
    }

    /// Whether an address is everyone in a network of an interface.
    pub(super) fn is_broadcast(&self, number: u32, address: Ipv4Addr) -> bool {
        let addresses = self.interface(number).map_or(&[][..], |interface| &interface.addresses);
        addresses.iter().any(|assigned| assigned.prefix.broadcast() == Some(address))
    }

    /// RFC 2131, 4.1: an offer may be sent to the address that it offers, which is not ours yet.
    fn is_configuring(&self, number: u32, header: &ipv4::Header) -> bool {
        P::DHCP
            && header.protocol == protocol::UDP
            && self.interface(number).is_some_and(|interface| interface.configuring)
    }

    /// Whether an interface is in a group: all of them are in that of all hosts.
    pub(super) fn is_member(&self, number: u32, group: IpAddr) -> bool {
        match group {
            IpAddr::V4(crate::address::ALL_HOSTS) | IpAddr::V6(crate::address::ALL_NODES) => true,
            _ => self.has_joined(number, group),
        }
    }
}

/// Whether options can be passed over. Those that would have us route are refused, as Linux does (RFC 7126, 4.3 and
/// 4.4).
fn are_harmless(mut options: &[u8]) -> bool {
    const END: u8 = 0;
    const NOTHING: u8 = 1;
    const LOOSE_ROUTE: u8 = 131;
    const STRICT_ROUTE: u8 = 137;
    while let &[kind, ref rest @ ..] = options {
        let length = rest.first().map_or(0, |&length| usize::from(length));
        options = match kind {
            END => return true,
            NOTHING => rest,
            LOOSE_ROUTE | STRICT_ROUTE => return false,
            _ if length < 2 || length > options.len() => return false,
            _ => &options[length..],
        };
    }
    true
}
