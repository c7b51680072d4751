//! What routers say, and addresses that follow from it: RFC 4861, 6.3; RFC 4862; RFC 4191; RFC 7217; RFC 8106.

use core::{
    hash::BuildHasher,
    net::{IpAddr, Ipv6Addr},
    time::Duration,
};

use packets::{Instant, ipv6};
use smoltcp::wire::{NdiscOption, NdiscOptionType, NdiscPrefixInfoFlags};

use super::{
    Ip,
    discovery::{link_address, options},
    time::Duty,
};
use crate::{
    address::{ALL_ROUTERS, Prefix},
    delivery::Arrived,
    error::Error,
    icmp::v6,
    interface::{Assigned, Medium, Origin, Standing},
    parts::Parts,
    routes::{self, Route},
};

/// Addresses of an interface that follow from advertisements: a link may have many liars.
const ADVERTISED: usize = 8;
/// RFC 4861, 10: `MAX_RTR_SOLICITATIONS` and `RTR_SOLICITATION_INTERVAL`.
const SOLICITATIONS: u8 = 3;
const SOLICITATION_INTERVAL: Duration = Duration::from_secs(4);
/// RFC 4861, 10: `MAX_RTR_SOLICITATION_DELAY`.
const SOLICITATION_DELAY: Duration = Duration::from_secs(1);
/// RFC 7217, 6: `IDGEN_RETRIES`.
const RETRIES: u8 = 3;
/// RFC 4862, 5.5.3 (e): nobody shortens what is left of a lifetime to less.
const LEAST_LIFETIME: Duration = Duration::from_secs(7200);
/// A lifetime that never ends: RFC 4861, 4.6.2.
const FOREVER: u32 = u32::MAX;
/// Bytes of an advertisement without its options.
const ADVERTISEMENT: usize = 16;
const ROUTE_INFORMATION: u8 = 24;
const NAME_SERVERS: u8 = 25;

impl<P: Parts> Ip<P> {
    /// Has an interface configure itself for IPv6: an address of the link at once, and what routers say. It must be up.
    ///
    /// # Errors
    /// [`Error::Down`] if it is not up, [`Error::Invalid`] if it is no Ethernet, [`Error::Full`].
    pub fn autoconfigure(&mut self, now: Instant, number: u32) -> Result<(), Error> {
        self.now = now;
        let interface = self.interface_mut(number).filter(|interface| interface.up).ok_or(Error::Down)?;
        if !P::AUTOCONFIGURATION || !P::IPV6 || !matches!(interface.medium, Medium::Ethernet(_)) {
            return Err(Error::Invalid);
        }
        interface.listens_to_routers = true;
        let link = Prefix { address: Ipv6Addr::new(0xfe80, 0, 0, 0, 0, 0, 0, 0).into(), length: 64 };
        self.generate(number, link, Assigned::lasting(link, Origin::LinkLocal))
    }

    /// RFC 4861, 6.3.4. Whether it can be believed at all was looked at: hop limit, length, options.
    pub(super) fn router_advertised(&mut self, arrived: &Arrived, from: Ipv6Addr, message: &[u8]) {
        let number = arrived.interface;
        let listens = self.interface(number).is_some_and(|interface| interface.listens_to_routers);
        if !P::AUTOCONFIGURATION || !listens || !from.is_unicast_link_local() {
            return;
        }
        let (Some(fixed), Some(rest)) = (message.first_chunk::<ADVERTISEMENT>(), message.get(ADVERTISEMENT..)) else {
            return;
        };
        self.parameters(number, fixed);
        let lifetime = u32::from(u16::from_be_bytes([fixed[6], fixed[7]]));
        self.route_by(number, from, Prefix::everything(false), fixed[5], lifetime);
        if let Some(address) = link_address(rest, NdiscOptionType::SourceLinkLayerAddr) {
            let key = (number, IpAddr::V6(from));
            let waiting = self.neighbours.heard(self.now, key, address);
            self.flush(key, address, waiting);
        }
        options(rest).flatten().for_each(|option| self.option(number, from, option));
    }

    fn parameters(&mut self, number: u32, fixed: &[u8; ADVERTISEMENT]) {
        let word = |at: usize| u32::from_be_bytes([fixed[at], fixed[at + 1], fixed[at + 2], fixed[at + 3]]);
        let (reachable, retransmit) = (word(8), word(12));
        // RFC 4861, 6.2.1: an hour at most.
        if (1..=3_600_000).contains(&reachable) {
            self.neighbours.set_reachable(Duration::from_millis(reachable.max(1000).into()));
        }
        let other = fixed[5] & 0x40 != 0;
        let Some(interface) = self.interface_mut(number) else { return };
        interface.router_heard = true;
        let new = other && !core::mem::replace(&mut interface.other_configuration, other);
        if fixed[4] != 0 {
            interface.hop_limit = fixed[4];
        }
        if (100..=60_000).contains(&retransmit) {
            interface.retransmit = Duration::from_millis(retransmit.into());
        }
        if new && self.other_configuration.len() < self.interfaces.len() {
            self.other_configuration.push(number);
        }
    }

    fn option(&mut self, number: u32, from: Ipv6Addr, bytes: &[u8]) {
        let option = NdiscOption::new_unchecked(bytes);
        match option.option_type() {
            NdiscOptionType::PrefixInformation if bytes.len() == 32 => self.prefix(number, bytes),
            NdiscOptionType::Mtu if bytes.len() == 8 => {
                let mtu = option.mtu() as usize;
                let Some(interface) = self.interface_mut(number) else { return };
                // RFC 4861, 6.3.4: between the least and the link's own.
                if (ipv6::LEAST_MTU..=interface.attributes.mtu).contains(&mtu) {
                    interface.mtu_v6 = mtu;
                    self.ways.changed();
                }
            }
            NdiscOptionType::Unknown(ROUTE_INFORMATION) => self.route_information(number, from, bytes),
            NdiscOptionType::Unknown(NAME_SERVERS) => self.name_servers(number, bytes),
            _ => {}
        }
    }

    /// RFC 4862, 5.5.3.
    fn prefix(&mut self, number: u32, bytes: &[u8]) {
        let option = NdiscOption::new_unchecked(bytes);
        let word = |at: usize| u32::from_be_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        let (valid, preferred) = (word(4), word(8));
        let Some(prefix) = Prefix::new(option.prefix().into(), option.prefix_len()) else { return };
        let prefix = prefix.network();
        if option.prefix().is_unicast_link_local() || option.prefix().is_multicast() || preferred > valid {
            return;
        }
        let flags = option.prefix_flags();
        if flags.contains(NdiscPrefixInfoFlags::ON_LINK) {
            let route = Route { gateway: None, ..self.advertised_route(number, prefix, 256, valid) };
            self.set_route(route, valid);
        }
        if flags.contains(NdiscPrefixInfoFlags::ADDRCONF) && prefix.length == 64 {
            self.address_of(number, prefix, valid, preferred);
        }
    }

    fn address_of(&mut self, number: u32, prefix: Prefix, valid: u32, preferred: u32) {
        let now = self.now;
        let (preferred, new) = (until(now, preferred), until(now, valid));
        let Some(interface) = self.interface_mut(number) else { return };
        let mut advertised = interface.addresses.iter_mut().filter(|assigned| assigned.origin == Origin::Advertised);
        if let Some(assigned) = advertised.find(|assigned| prefix.contains(assigned.prefix.address)) {
            let left = assigned.valid_until.map_or(Duration::MAX, |until| until.since(now));
            let told = new.map_or(Duration::MAX, |until| until.since(now));
            assigned.preferred_until = preferred;
            assigned.valid_until = match told {
                _ if told > LEAST_LIFETIME || told > left => new,
                _ if left <= LEAST_LIFETIME => assigned.valid_until,
                _ => Some(now + LEAST_LIFETIME),
            };
            return self.reckon();
        }
        let count = interface.addresses.iter().filter(|assigned| assigned.origin == Origin::Advertised).count();
        if valid > 0 && count < ADVERTISED {
            let assigned = Assigned {
                preferred_until: preferred,
                valid_until: new,
                ..Assigned::lasting(prefix, Origin::Advertised)
            };
            let _ = self.generate(number, prefix, assigned);
            self.reckon();
        }
    }

    /// RFC 4191, 2.3.
    fn route_information(&mut self, number: u32, from: Ipv6Addr, bytes: &[u8]) {
        let &[_, _, length, flags, a, b, c, d, ref rest @ ..] = bytes else { return };
        if usize::from(length).div_ceil(64) * 8 > rest.len() {
            return;
        }
        let mut octets = [0; 16];
        let count = rest.len().min(16);
        octets[..count].copy_from_slice(&rest[..count]);
        if let Some(prefix) = Prefix::new(Ipv6Addr::from(octets).into(), length) {
            self.route_by(number, from, prefix.network(), flags, u32::from_be_bytes([a, b, c, d]));
        }
    }

    /// A route by a router; the flags have its preference (RFC 4191, 2.1), of which the fourth is taken as usual.
    fn route_by(&mut self, number: u32, from: Ipv6Addr, to: Prefix, flags: u8, lifetime: u32) {
        let metric = match flags >> 3 & 3 {
            1 => 1023,
            3 => 1025,
            _ => 1024,
        };
        let route = Route { gateway: Some(from.into()), ..self.advertised_route(number, to, metric, lifetime) };
        self.set_route(route, lifetime);
    }

    fn advertised_route(&self, interface: u32, destination: Prefix, metric: u32, lifetime: u32) -> Route {
        let (expires, origin) = (until(self.now, lifetime), routes::Origin::Advertised);
        Route { destination, gateway: None, interface, metric, source: None, origin, expires }
    }

    fn set_route(&mut self, route: Route, lifetime: u32) {
        if lifetime > 0 {
            self.routes.add(route);
            return self.reckon();
        }
        self.routes.remove(|other| {
            let key = |route: &Route| (route.destination, route.gateway, route.interface, route.origin);
            key(other) == key(&route)
        });
    }

    /// RFC 8106, 5.1.
    fn name_servers(&mut self, number: u32, bytes: &[u8]) {
        let &[_, _, _, _, a, b, c, d, ref addresses @ ..] = bytes else { return };
        let lifetime = u32::from_be_bytes([a, b, c, d]);
        for address in addresses.as_chunks::<16>().0 {
            let address = IpAddr::V6(Ipv6Addr::from(*address));
            self.forget_server(number, address);
            if lifetime > 0 {
                self.add_server(number, address, until(self.now, lifetime));
            }
        }
        self.reckon();
    }

    /// An address of ours can be used now. Behind the one of the link, routers are asked what they have to say.
    pub(super) fn usable(&mut self, number: u32, address: Ipv6Addr) {
        let listens = self.interface(number).is_some_and(|interface| interface.listens_to_routers);
        if listens && address.is_unicast_link_local() {
            let at = self.now + self.random.up_to(SOLICITATION_DELAY);
            self.duties.set(at, Duty::SolicitRouters(number, SOLICITATIONS));
        }
    }

    pub(super) fn solicit_routers(&mut self, number: u32, left: u8) {
        if left == 0 || !self.interface(number).is_some_and(|found| found.up && !found.router_heard) {
            return;
        }
        self.say_discovery(number, v6::ROUTER_SOLICITATION, 0, None, 1, (None, ALL_ROUTERS));
        self.duties.set(self.now + SOLICITATION_INTERVAL, Duty::SolicitRouters(number, left - 1));
    }

    /// Somebody else has an address that we made: the next one is tried (RFC 7217, 6), or none.
    pub(super) fn try_another(&mut self, number: u32, address: Ipv6Addr) {
        let Some(assigned) = self.interface_mut(number).and_then(|found| found.assigned(address.into())).copied()
        else {
            return;
        };
        let made = matches!(assigned.origin, Origin::LinkLocal | Origin::Advertised);
        if made && assigned.attempt < RETRIES {
            self.remove_address(number, address.into());
            let next = Assigned { attempt: assigned.attempt + 1, standing: Standing::Ours, ..assigned };
            let _ = self.generate(number, assigned.prefix.network(), next);
        }
    }

    /// Gives an interface the address of a network that is its own: the same each time that it comes here, and
    /// another one elsewhere (RFC 7217, 5).
    fn generate(&mut self, number: u32, network: Prefix, assigned: Assigned) -> Result<(), Error> {
        let (IpAddr::V6(base), Some(interface)) = (network.address, self.interface(number)) else {
            return Err(Error::Invalid);
        };
        let key = self.secret.key("stable addresses");
        let identifier = key.hash_one((base, interface.attributes.address.map(|address| address.0), assigned.attempt));
        let address = Ipv6Addr::from_bits(base.to_bits() | u128::from(identifier)).into();
        self.assign(self.now, number, Assigned { prefix: Prefix { address, length: 64 }, ..assigned })
    }
}

/// When a lifetime in seconds ends.
fn until(now: Instant, seconds: u32) -> Option<Instant> {
    (seconds != FOREVER).then(|| now + Duration::from_secs(seconds.into()))
}
