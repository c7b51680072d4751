//! What TCP needs from below.

use core::net::IpAddr;

use packets::{Instant, ipv4, ipv4::protocol, ipv6};
use tcp::{Network, Outgoing, Route, Unreachable, Usual};

use super::Ip;
use crate::{
    delivery::{Arrived, Cutting, Departure, Plain},
    error::{Error, Failure},
    interface::Interface,
    parts::Parts,
};

impl<P: Parts> Network for Ip<P> {
    fn route(&mut self, to: IpAddr, from: Option<IpAddr>, interface: u32) -> Result<Route, Unreachable> {
        let way = self.known_way(to, from, interface).map_err(|error| match error {
            Error::NotAvailable => Unreachable::Host,
            _ => Unreachable::Network,
        })?;
        let v4 = to.is_ipv4();
        let header = if v4 { ipv4::HEADER } else { ipv6::HEADER };
        // What the device does not cut is cut here, a step before it: that saves the way down for each segment.
        let burst = usize::from(u16::MAX) - if v4 { header } else { 0 };
        Ok(Route {
            source: way.from,
            payload: (way.mtu - header) as u16,
            link: (self.interface(way.interface).map_or(way.mtu, |interface| interface.mtu(v4)) - header) as u16,
            burst: burst as u32,
            interface: way.interface,
            near: way.interface == self.loopback,
        })
    }

    fn is_local(&self, address: IpAddr) -> bool {
        self.has_address(address)
    }

    fn send(&mut self, now: Instant, outgoing: &mut Outgoing) -> bool {
        let interface = if crate::address::is_of_link(outgoing.to) { outgoing.interface } else { 0 };
        let Outgoing { hop_limit, traffic_class, .. } = *outgoing;
        self.set_time(now);
        let (question, how) = (
            (outgoing.to, Some(outgoing.from), interface),
            Plain { protocol: protocol::TCP, hop_limit, traffic_class },
        );
        if !outgoing.probe && self.depart_as_before(&question, (&how, 0), &mut outgoing.packet, |_, _| {}) {
            return true;
        }
        let Ok(way) = self.known_way(outgoing.to, Some(outgoing.from), interface) else {
            self.counts(outgoing.to.is_ipv4()).no_routes += 1;
            return true;
        };
        if self.interface(way.interface).is_some_and(Interface::is_full) {
            self.counts(outgoing.to.is_ipv4()).send_discarded += 1;
            return false;
        }
        let mut departure = Departure {
            hop_limit: outgoing.hop_limit,
            traffic_class: outgoing.traffic_class,
            // A path that got narrower in between: TCP will hear of it, and what is under way is cut rather than lost.
            cutting: if outgoing.probe { Cutting::Probe } else { Cutting::Here },
            ..Departure::new(way, protocol::TCP, core::mem::take(&mut outgoing.packet))
        };
        if self.depart(now, &mut departure).is_err() {
            self.counts(outgoing.to.is_ipv4()).send_discarded += 1;
        }
        true
    }

    fn send_usual(&mut self, now: Instant, segment: Usual<'_>) -> bool {
        self.set_time(now);
        self.send_as_before(segment)
    }

    fn proved(&mut self, now: Instant, to: IpAddr, payload: u16) {
        let header = if to.is_ipv4() { ipv4::HEADER } else { ipv6::HEADER };
        self.paths.prove(now, to, payload.saturating_add(header as u16));
    }

    fn confirm(&mut self, now: Instant, to: IpAddr, interface: u32) {
        Self::confirm(self, now, to, interface);
    }
}

impl Arrived {
    /// The same for TCP.
    #[must_use]
    pub fn for_tcp(&self) -> tcp::Arrival {
        tcp::Arrival {
            from: self.from(),
            to: self.to(),
            interface: self.interface,
            traffic_class: self.traffic_class(),
            hop_limit: self.hop_limit(),
        }
    }
}

impl Failure {
    /// The same for TCP: RFC 1122, 4.2.3.9. `v4`: the packet's header is that of IPv4.
    #[must_use]
    pub const fn for_tcp(self, v4: bool) -> Option<tcp::Told> {
        Some(tcp::Told::Unreachable(match self {
            Self::Network => Unreachable::Network,
            Self::Host => Unreachable::Host,
            Self::Protocol => Unreachable::Protocol,
            Self::Port => Unreachable::Port,
            Self::Forbidden => Unreachable::Forbidden,
            Self::TooBig(mtu) => {
                // RFC 1191, 3 and RFC 8201, 4: nobody's word goes below what the paths' table believes.
                let floor = if v4 { crate::path_mtu::FLOOR_V4 } else { crate::path_mtu::FLOOR_V6 };
                let mtu = if mtu < floor { floor } else { mtu };
                return Some(tcp::Told::TooBig(mtu - if v4 { ipv4::HEADER } else { ipv6::HEADER } as u16));
            }
            Self::TimeExceeded | Self::Parameter => return None,
        }))
    }
}
