//! Which way a packet takes, and which source it gets.

use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use nic::Offloads;
use packets::{Checksum, Packet, ethernet, ipv4, ipv4::protocol, ipv6, tcp::CHECKSUM_OFFSET};

use super::{
    Ip,
    output::{TIME_TO_LIVE, default_hop_limit, moved},
};
use crate::{
    address::{common_bits, scope},
    delivery::{Plain, Way},
    error::Error,
    interface::{Assigned, Interface, Medium, Standing},
    parts::Parts,
    routes::Route,
    template::Template,
    ways::Question,
};

impl<P: Parts> Ip<P> {
    /// Adds a route, or changes the one for the same addresses by the same router.
    ///
    /// # Errors
    /// [`Error::Down`] if there is no such interface, [`Error::Full`] if there are too many.
    pub fn add_route(&mut self, route: Route) -> Result<(), Error> {
        self.interface(route.interface).ok_or(Error::Down)?;
        if self.routes.add(route) { Ok(()) } else { Err(Error::Full) }
    }

    /// Takes out the routes that `which` says; `true` if there were any.
    pub fn remove_route(&mut self, which: impl FnMut(&Route) -> bool) -> bool {
        self.routes.remove(which)
    }

    /// Finds the way to an address, from `from` and over `interface` if these are said.
    ///
    /// # Errors
    /// [`Error::Unreachable`], [`Error::Down`], and [`Error::NotAvailable`] if there is no source.
    pub fn way(&self, to: IpAddr, from: Option<IpAddr>, interface: u32) -> Result<Way, Error> {
        self.find_way(to, from, interface)
    }

    /// The same, for who asks again and again: the answer is kept as long as it is right.
    ///
    /// # Errors
    /// As [`Ip::way`].
    #[inline]
    pub fn known_way(&mut self, to: IpAddr, from: Option<IpAddr>, interface: u32) -> Result<Way, Error> {
        let version = self.version();
        let question = (to, from, interface);
        if let Some((way, _)) = self.ways.find(self.now, version, &question) {
            return Ok(*way);
        }
        self.learn_way(version, question)
    }

    #[inline(never)]
    fn learn_way(&mut self, version: u64, question: Question) -> Result<Way, Error> {
        let mut way = self.find_way(question.0, question.1, question.2)?;
        let station = self.neighbours.settled(self.now, (way.interface, way.next)).filter(|_| !way.several);
        way.station = station.map(|(address, _)| address);
        let made = (way, self.template(&way));
        self.ways.keep(self.now, version, question, made, station.and_then(|(_, until)| until));
        Ok(way)
    }

    /// What is put before packets of a way that are as most are: for the device of an Ethernet that writes checksums,
    /// and for what stays within this machine and has none.
    fn template(&self, way: &Way) -> Option<Template> {
        let (IpAddr::V4(from), IpAddr::V4(to)) = (way.from, way.to) else { return None };
        let interface = self.interface(way.interface)?;
        let link = match (interface.medium, way.station) {
            (Medium::Ethernet(source), Some(destination)) => {
                Some(ethernet::Header { destination, source, kind: ethernet::IPV4.into() })
            }
            (Medium::Loopback, _) if !way.several => None,
            _ => return None,
        };
        let sums = interface.offloads(Offloads::SEND_CHECKSUM);
        sums.then(|| Template::new(link.as_ref(), &ipv4::Header::unsummed(0, from, to, 0, 0)))
    }

    /// Sends a packet a way that is known and for which there is a template, if it is as most are; `false`: it is not,
    /// and nothing was done. What [`Ip::depart`] would do otherwise, in a few steps. `put` puts `header` bytes before
    /// it, given the source.
    #[inline]
    pub(crate) fn depart_as_before(
        &mut self,
        question: &Question,
        (how, header): (&Plain, usize),
        packet: &mut Packet,
        put: impl FnOnce(&mut Packet, IpAddr),
    ) -> bool {
        let version = self.version();
        let Some((way, Some(template))) = self.ways.find(self.now, version, question) else { return false };
        let payload = header + packet.len();
        if !P::IPV4 || packet.offload.segmentation.is_some() || ipv4::HEADER + payload > way.mtu {
            return false;
        }
        if self.interface(way.interface).is_none_or(Interface::is_full) {
            return false;
        }
        let hops = if how.hop_limit == 0 { TIME_TO_LIVE } else { how.hop_limit };
        let number = way.interface;
        put(packet, way.from);
        let length = template.put(&mut packet.head, (how.protocol, hops, how.traffic_class), payload);
        moved(packet, length);
        self.counts(true).sent += 1;
        self.outgoing = true;
        if let Some(interface) = self.interface_mut(number) {
            interface.enqueue(packet);
        }
        true
    }

    /// Sends a segment a way that is known and as most are; `false`: it is not, and nothing was done.
    #[inline]
    pub(super) fn send_as_before(&mut self, segment: tcp::Usual<'_>) -> bool {
        let version = self.version();
        let known = self.ways.find_usual(self.now, version, segment.ends);
        let Some((number, mtu, template)) = known.filter(|_| P::IPV4) else { return false };
        let payload = segment.header_length + segment.payload.len();
        let interface = self.interfaces.get_mut((number as usize).wrapping_sub(1));
        let Some(interface) = interface.filter(|interface| !interface.is_full() && interface.up) else { return false };
        if ipv4::HEADER + payload > mtu {
            return false;
        }
        let hops = if segment.hop_limit == 0 { TIME_TO_LIVE } else { segment.hop_limit };
        let front = template.headers((protocol::TCP, hops, segment.traffic_class), payload);
        let mut header = *segment.header;
        let sum = template.pseudo_sum(protocol::TCP, payload);
        header[CHECKSUM_OFFSET..CHECKSUM_OFFSET + 2].copy_from_slice(&sum.to_be_bytes());
        if !segment.payload.prepend_two(&front, (&header, segment.header_length)) {
            return false;
        }
        let head = core::mem::take(segment.payload);
        let checksum = Checksum::Partial { start: front.len() as u16, offset: CHECKSUM_OFFSET as u16 };
        interface.enqueue_whole(head, checksum);
        self.statistics[0].sent += 1;
        self.outgoing = true;
        true
    }

    /// The way to a socket of this machine and its usual hop limit, if it is known, a packet with so many bytes of
    /// payload need not be cut there, and none is on its way.
    #[inline]
    pub(crate) fn way_within(&self, question: &Question, payload: usize) -> Option<(&Way, u8)> {
        // What leaves the machine is looked for once more on its way, and shall not pay for two looks.
        if self.ways.hint(question.0) != Some(self.loopback) {
            return None;
        }
        let (way, _) = self.ways.find(self.now, self.version(), question)?;
        let header = if way.to.is_ipv4() { ipv4::HEADER } else { ipv6::HEADER };
        let fits = way.interface == self.loopback && !way.several && header + payload <= way.mtu;
        let is_ready = |interface: &&Interface| interface.up && interface.queue.is_empty();
        let interface = self.interface(way.interface).filter(is_ready)?;
        fits.then(|| (way, default_hop_limit(interface, way.to)))
    }

    /// A packet has gone within the machine, and was not made.
    pub(crate) fn count_within(&mut self, ipv4: bool) {
        let counts = self.counts(ipv4);
        (counts.sent, counts.received, counts.delivered) = (counts.sent + 1, counts.received + 1, counts.delivered + 1);
    }

    /// Counts all changes that ways follow from.
    pub(super) const fn version(&self) -> u64 {
        self.routes.changes() + self.paths.changes() + self.neighbours.changes() + self.ways.changes()
    }

    fn find_way(&self, to: IpAddr, from: Option<IpAddr>, interface: u32) -> Result<Way, Error> {
        let (number, next, preferred) = self.direction(to, interface)?;
        let interface = self.interface(number).filter(|interface| interface.up).ok_or(Error::Down)?;
        let source = from.filter(|from| !from.is_unspecified()).or(preferred);
        let from = match source.or_else(|| self.source(number, interface, to, next)) {
            Some(source) => source,
            // DHCP asks before it has an address: RFC 2131, 4.1.
            None if to == IpAddr::V4(Ipv4Addr::BROADCAST) => Ipv4Addr::UNSPECIFIED.into(),
            None => return Err(Error::NotAvailable),
        };
        let link = interface.mtu(to.is_ipv4());
        let mtu = self.paths.get(self.now, to).map_or(link, |path| link.min(path.into()));
        let several =
            to.is_multicast() || matches!(to, IpAddr::V4(to) if to.is_broadcast() || self.is_broadcast(number, to));
        Ok(Way { interface: number, next, from, to, mtu, several, station: None })
    }

    /// The interface, whom the frame is for, and the source that the route says.
    fn direction(&self, to: IpAddr, interface: u32) -> Result<(u32, IpAddr, Option<IpAddr>), Error> {
        if self.is_ours(interface, to) || self.has_address(to) && !crate::address::is_of_link(to) {
            return if self.loopback != 0 { Ok((self.loopback, to, Some(to))) } else { Err(Error::Unreachable) };
        }
        let up = |number: u32| self.interface(number).is_some_and(Interface::is_up);
        let found = self.routes.find(to, interface, |route| up(route.interface));
        if to.is_multicast() || to == IpAddr::V4(Ipv4Addr::BROADCAST) {
            let number = if interface != 0 { Some(interface) } else { found.map(|route| route.interface) };
            return number.or_else(|| self.first_link()).map(|number| (number, to, None)).ok_or(Error::Unreachable);
        }
        let route = found.ok_or(Error::Unreachable)?;
        let source = route.source.filter(|source| self.has_address(*source));
        Ok((route.interface, route.gateway.unwrap_or(to), source))
    }

    /// The first interface that leads to others.
    fn first_link(&self) -> Option<u32> {
        self.numbers().find(|number| {
            self.interface(*number).is_some_and(|interface| interface.up && interface.medium != Medium::Loopback)
        })
    }

    fn source(&self, number: u32, interface: &Interface, to: IpAddr, next: IpAddr) -> Option<IpAddr> {
        match to {
            IpAddr::V4(_) => self.source_v4(interface, next),
            IpAddr::V6(to) => self.source_v6(number, to).map(IpAddr::V6),
        }
    }

    /// The address in the network of the next stop, or else the interface's first one, or that of another interface.
    fn source_v4(&self, interface: &Interface, next: IpAddr) -> Option<IpAddr> {
        let ours = |interface: &Interface, near: bool| {
            let ready = |assigned: &&Assigned| assigned.prefix.address.is_ipv4() && assigned.standing == Standing::Ours;
            let usable = interface.addresses.iter().filter(ready);
            let mut fitting = usable.filter(|assigned| !near || assigned.prefix.contains(next));
            fitting.next().map(|assigned| assigned.prefix.address)
        };
        let elsewhere = || self.interfaces.iter().filter(|other| other.medium != Medium::Loopback);
        ours(interface, true)
            .or_else(|| ours(interface, false))
            .or_else(|| elsewhere().find_map(|other| ours(other, false)))
    }

    /// RFC 6724, 5: same address (rule 1), scope (2), not deprecated (3), outgoing interface (5), longest common prefix
    /// (8). Rules 4, 6 and 7 are about home addresses, labels of tunnels, and temporary addresses, which are not here.
    fn source_v6(&self, number: u32, to: Ipv6Addr) -> Option<Ipv6Addr> {
        let wanted = scope(to);
        let candidates = self.numbers().flat_map(|other| {
            self.interface(other)
                .into_iter()
                .flat_map(move |interface| interface.addresses.iter().map(move |a| (other, a)))
        });
        let usable = candidates.filter_map(|(other, assigned)| match assigned.prefix.address {
            IpAddr::V6(address) if assigned.standing == Standing::Ours => Some((other, assigned, address)),
            _ => None,
        });
        // RFC 6724, 4: to a link or a group only from its interface, and never from a loopback address.
        let local = to.is_multicast() || to.is_unicast_link_local();
        let fitting = usable.filter(|(other, _, address)| {
            (*other == number || !local && scope(*address) > 2) && (!address.is_loopback() || to.is_loopback())
        });
        let rank = |&(other, assigned, address): &(u32, &crate::interface::Assigned, Ipv6Addr)| {
            let own = scope(address);
            // Rule 2: the smallest scope that is wide enough, or else the widest.
            let reach = if own >= wanted { 64 - own } else { own };
            let preferred = !assigned.is_deprecated(self.now);
            (
                address == to,
                reach,
                preferred,
                other == number,
                common_bits(address.into(), to.into()).min(assigned.prefix.length),
            )
        };
        fitting.max_by_key(rank).map(|(_, _, address)| address)
    }
}
