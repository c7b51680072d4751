//! Packets go out: headers, and what the device cannot do.

use core::net::IpAddr;

use nic::Offloads;
use packets::{Checksum, Instant, Packet, ipv4, ipv6};
use zerocopy::IntoBytes;

use super::Ip;
use crate::{
    delivery::{Cutting, Departure, Way},
    error::Error,
    interface::Interface,
    parts::Parts,
    software,
};

/// Routers that a packet may pass: RFC 1700, and Linux.
pub(super) const TIME_TO_LIVE: u8 = 64;

impl<P: Parts> Ip<P> {
    /// Sends a packet: with the header of IP, cut into segments or fragments where it must be.
    ///
    /// # Errors
    /// [`Error::TooBig`] if it must not be cut, [`Error::Down`].
    pub fn send(&mut self, now: Instant, mut departure: Departure) -> Result<(), Error> {
        self.depart(now, &mut departure)
    }

    /// As [`Ip::send`]. The packet is taken out of `departure`.
    ///
    /// # Errors
    /// As [`Ip::send`].
    pub fn depart(&mut self, now: Instant, departure: &mut Departure) -> Result<(), Error> {
        self.now = now;
        let v4 = departure.way.to.is_ipv4();
        if !(if v4 { P::IPV4 } else { P::IPV6 }) {
            return Err(Error::Unreachable);
        }
        let interface = self.interface(departure.way.interface).filter(|found| found.up).ok_or(Error::Down)?;
        if departure.hop_limit == 0 {
            departure.hop_limit = default_hop_limit(interface, departure.way.to);
        }
        let mtu = if departure.cutting == Cutting::Probe { interface.mtu(v4) } else { departure.way.mtu };
        let header = if v4 { ipv4::HEADER } else { ipv6::HEADER };
        let length = header + departure.packet.len();
        if departure.packet.offload.segmentation.is_none() && length > mtu {
            return self.send_fragments(departure, mtu);
        }
        if length - header > usize::from(u16::MAX) - if v4 { header } else { 0 } {
            return Err(Error::TooBig(u16::MAX));
        }
        self.counts(v4).sent += 1;
        self.put_header(departure);
        if departure.way.several {
            self.loop_back(departure, &departure.packet);
        }
        self.transmit_adapted(&departure.way, &mut departure.packet);
        Ok(())
    }

    /// Puts the header of IP before a packet.
    fn put_header(&mut self, departure: &mut Departure) {
        let packet = &mut departure.packet;
        let ends = (departure.way.from, departure.way.to);
        match ends {
            (IpAddr::V4(from), IpAddr::V4(to)) => {
                let length = packet.len();
                let mut header = ipv4::Header::unsummed(departure.protocol, from, to, departure.hop_limit, length);
                header.traffic_class = departure.traffic_class;
                let several = packet.offload.segmentation.is_some();
                if departure.cutting == Cutting::Anywhere {
                    header.fragment = 0.into();
                }
                // RFC 6864, 4.1: of one that nobody cuts any number is right. Segments count on from it.
                if departure.cutting == Cutting::Anywhere || several {
                    header.identification = self.next_identification().into();
                }
                header.set_checksum();
                packet.head.prepend(header.as_bytes());
            }
            (IpAddr::V6(from), IpAddr::V6(to)) => {
                let mut header = ipv6::Header::new(departure.protocol, from, to, departure.hop_limit, packet.len());
                header.set_traffic_class(departure.traffic_class);
                packet.head.prepend(header.as_bytes());
            }
            _ => {}
        }
        moved(packet, if departure.way.to.is_ipv4() { ipv4::HEADER } else { ipv6::HEADER });
    }

    /// A number for fragments; steps are random, so nobody counts our packets (RFC 7739).
    pub(super) fn next_identification(&mut self) -> u16 {
        self.identification = self.identification.wrapping_add(1 + self.random.below(64) as u16);
        self.identification
    }

    /// Does what the device does not, and sends.
    pub(super) fn transmit_adapted(&mut self, way: &Way, packet: &mut Packet) {
        let Some(interface) = self.interface(way.interface) else { return };
        let sums = interface.offloads(Offloads::SEND_CHECKSUM);
        let cut = packet.offload.segmentation.filter(|segmentation| {
            let longest = interface.attributes.largest;
            !interface.offloads(Offloads::of(segmentation.kind)) || packet.len() + interface.link_header() > longest
        });
        let Some(_) = cut else {
            if !sums {
                software::complete(packet);
            }
            return self.go(way, packet);
        };
        for mut segment in software::segments(core::mem::take(packet)).unwrap_or_default() {
            if !sums {
                software::complete(&mut segment);
            }
            self.go(way, &mut segment);
        }
    }

    /// What goes to a group that we have joined, or to everyone, comes to us too: `IP_MULTICAST_LOOP`.
    pub(super) fn loop_back(&mut self, departure: &Departure, packet: &Packet) {
        let (to, number) = (departure.way.to, departure.way.interface);
        let broadcast = matches!(to, IpAddr::V4(to) if to.is_broadcast() || self.is_broadcast(number, to));
        let group = to.is_multicast() && departure.to_ourselves && self.is_member(number, to);
        if (broadcast || group) && self.looped.len() < crate::interface::QUEUE {
            self.looped.push((number, packet.clone()));
        }
    }
}

/// RFC 1112, 6.1 and RFC 3493, 5.2: what goes to a group stays on the link unless somebody says otherwise.
pub(super) fn default_hop_limit(interface: &Interface, to: IpAddr) -> u8 {
    match to {
        _ if to.is_multicast() => 1,
        IpAddr::V4(_) => TIME_TO_LIVE,
        IpAddr::V6(_) => interface.hop_limit,
    }
}

/// A header of so many bytes was put before a packet.
pub(super) fn moved(packet: &mut Packet, by: usize) {
    if let Checksum::Partial { start, .. } = &mut packet.offload.checksum {
        *start += by as u16;
    }
}
