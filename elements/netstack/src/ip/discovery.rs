//! Neighbour discovery: RFC 4861, with RFC 6980.

use core::net::{IpAddr, Ipv6Addr};

use packets::{Bytes, Packet, Parts as Stretches, ethernet, ipv4::protocol};
use smoltcp::wire::{NdiscOption, NdiscOptionType};

use super::Ip;
use crate::{
    address::{ALL_NODES, solicited_node},
    delivery::{Arrived, Departure, Way},
    icmp::{self, v6},
    interface::Medium,
    neighbours::Answer,
    parts::Parts,
};

/// What a message of neighbour discovery has: only routers of this link can have sent it with all of it left.
pub(super) const HOP_LIMIT: u8 = 255;
/// Bits of an advertisement: RFC 4861, 4.4.
const ROUTER: u32 = 1 << 31;
const SOLICITED: u32 = 1 << 30;
const OVERRIDE: u32 = 1 << 29;
const SOURCE_ADDRESS: u8 = 1;
const TARGET_ADDRESS: u8 = 2;

/// Options of a message in their order; `None` in the end if they cannot be (RFC 4861, 4.6: a length of 0).
pub(super) fn options(mut bytes: &[u8]) -> impl Iterator<Item = Option<&[u8]>> {
    core::iter::from_fn(move || {
        if bytes.is_empty() {
            return None;
        }
        let length = bytes.get(1).map_or(0, |&units| usize::from(units) * 8);
        let option = bytes.get(..length).filter(|_| length > 0);
        bytes = option.map_or(&[], |_| &bytes[length..]);
        Some(option.filter(|option| NdiscOption::new_checked(*option).is_ok()))
    })
}

/// The link address that an option of this kind says.
pub(super) fn link_address(bytes: &[u8], kind: NdiscOptionType) -> Option<ethernet::Address> {
    let right = |option: &&[u8]| NdiscOption::new_unchecked(*option).option_type() == kind && option.len() == 8;
    let address = *options(bytes).flatten().find(right)?.get(2..)?.first_chunk::<6>()?;
    Some(ethernet::Address(address)).filter(|address| !address.is_multicast())
}

impl<P: Parts> Ip<P> {
    /// Takes a message. It must come from this link, and whole: RFC 4861, 6.1 and 7.1; RFC 6980, 5.
    pub(super) fn discovery(&mut self, arrived: &Arrived, kind: u8, code: u8, packet: &Packet) {
        let bytes = packet.to_vec();
        let (IpAddr::V6(from), Some(body)) = (arrived.from(), bytes.get(icmp::HEADER..)) else { return };
        let ethernet =
            self.interface(arrived.interface).is_some_and(|found| matches!(found.medium, Medium::Ethernet(_)));
        let rest = if kind >= v6::NEIGHBOUR_SOLICITATION {
            16
        } else if kind == v6::ROUTER_ADVERTISEMENT {
            8
        } else {
            0
        };
        let whole = body.len() >= rest && options(&body[rest.min(body.len())..]).all(|option| option.is_some());
        if arrived.hop_limit() != HOP_LIMIT || code != 0 || arrived.fragmented || !ethernet || !whole {
            self.icmp_counts(false).receive_errors += 1;
            return;
        }
        let target = body.first_chunk::<16>().map(|target| Ipv6Addr::from(*target));
        match (kind, target) {
            (v6::NEIGHBOUR_SOLICITATION, Some(target)) => self.solicited(arrived, from, target, &body[16..]),
            (v6::NEIGHBOUR_ADVERTISEMENT, Some(target)) => {
                let flags = u32::from_be_bytes([bytes[4], bytes[5], bytes[6], bytes[7]]);
                self.advertised(arrived, flags, target, &body[16..]);
            }
            (v6::ROUTER_ADVERTISEMENT, _) => self.router_advertised(arrived, from, &bytes),
            _ => {}
        }
    }

    /// RFC 4861, 7.2.3 and 7.2.4.
    fn solicited(&mut self, arrived: &Arrived, from: Ipv6Addr, target: Ipv6Addr, rest: &[u8]) {
        let number = arrived.interface;
        let address = link_address(rest, NdiscOptionType::SourceLinkLayerAddr);
        // RFC 4861, 7.1.1: a probe goes to the group of the address, and says no link address.
        let probe = from.is_unspecified();
        let right = arrived.to() == IpAddr::V6(solicited_node(target)) && address.is_none();
        if target.is_multicast() || probe && !right {
            self.icmp_counts(false).receive_errors += 1;
            return;
        }
        if probe && self.somebody_tries(number, target) || !self.is_ours(number, target.into()) {
            return;
        }
        let key = (number, IpAddr::V6(from));
        if let Some(address) = address.filter(|_| !probe) {
            let waiting = self.neighbours.heard(self.now, key, address);
            self.flush(key, address, waiting);
        }
        let (to, flags) = if probe { (ALL_NODES, OVERRIDE) } else { (from, SOLICITED | OVERRIDE) };
        self.say_discovery(
            number,
            v6::NEIGHBOUR_ADVERTISEMENT,
            flags,
            Some(target),
            TARGET_ADDRESS,
            (Some(target), to),
        );
    }

    /// RFC 4861, 7.2.5.
    fn advertised(&mut self, arrived: &Arrived, flags: u32, target: Ipv6Addr, rest: &[u8]) {
        let several = arrived.to().is_multicast();
        if target.is_multicast() || several && flags & SOLICITED != 0 {
            self.icmp_counts(false).receive_errors += 1;
            return;
        }
        if self.somebody_has(arrived.interface, target) || self.is_ours(arrived.interface, target.into()) {
            return;
        }
        let address = link_address(rest, NdiscOptionType::TargetLinkLayerAddr);
        let answer = Answer {
            address,
            solicited: flags & SOLICITED != 0,
            replaces: flags & OVERRIDE != 0,
            router: Some(flags & ROUTER != 0),
        };
        let key = (arrived.interface, IpAddr::V6(target));
        let waiting = self.neighbours.answered(self.now, key, &answer);
        if let Some(address) = address {
            self.flush(key, address, waiting);
        }
    }

    /// Asks who has an address: RFC 4861, 7.2.2.
    pub(super) fn solicit_v6(&mut self, number: u32, target: Ipv6Addr, at: Option<ethernet::Address>) {
        let to = if at.is_some() { target } else { solicited_node(target) };
        self.say_discovery(number, v6::NEIGHBOUR_SOLICITATION, 0, Some(target), SOURCE_ADDRESS, (None, to));
    }

    /// Sends a message: to `ends.1`, from `ends.0` or the address that fits. With `option` it says our link address.
    pub(super) fn say_discovery(
        &mut self,
        number: u32,
        kind: u8,
        word: u32,
        target: Option<Ipv6Addr>,
        option: u8,
        ends: (Option<Ipv6Addr>, Ipv6Addr),
    ) {
        let Some(Medium::Ethernet(own)) = self.interface(number).map(|found| found.medium) else { return };
        let to = IpAddr::V6(ends.1);
        let from = match ends.0 {
            Some(from) => from,
            None => match self.way(to, None, number).map(|way| way.from) {
                Ok(IpAddr::V6(from)) => from,
                _ => Ipv6Addr::UNSPECIFIED,
            },
        };
        let mut body = alloc::vec::Vec::from(target.map_or([0; 16], |target| target.octets()));
        body.truncate(if target.is_some() { 16 } else { 0 });
        if !from.is_unspecified() {
            body.extend([option, 1]);
            body.extend(own.0);
        }
        let mut parts = Stretches::new();
        if !body.is_empty() {
            parts.push(Bytes::from(body));
        }
        let message = icmp::message(kind, 0, word, parts, Some((from.into(), to)));
        let way = Way { interface: number, next: to, from: from.into(), to, mtu: 1280, several: true, station: None };
        let departure = Departure { hop_limit: HOP_LIMIT, ..Departure::new(way, protocol::ICMPV6, message) };
        self.icmp_counts(false).sent += 1;
        let _ = self.send(self.now, departure);
    }
}
