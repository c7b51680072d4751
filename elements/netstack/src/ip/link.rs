//! Frames go out: who on the link gets them.

use core::net::IpAddr;

use packets::{Instant, Packet, ethernet};
use zerocopy::IntoBytes;

use super::{Ip, output::moved};
use crate::{
    address::of_group,
    delivery::Way,
    interface::Medium,
    neighbours::{Due, Key},
    parts::Parts,
};

impl<P: Parts> Ip<P> {
    /// Sends a packet of IP on its way.
    pub(super) fn go(&mut self, way: &Way, packet: &mut Packet) {
        match way.station {
            Some(station) => self.frame(way.interface, station, packet),
            None => self.transmit(way.interface, way.next, packet),
        }
    }

    /// Sends a packet of IP to the next stop, or keeps it until that is known.
    pub(super) fn transmit(&mut self, number: u32, next: IpAddr, packet: &mut Packet) {
        let Some(interface) = self.interface_mut(number) else { return };
        let Medium::Ethernet(_) = interface.medium else { return interface.enqueue(packet) };
        if let Some(address) = self.address_of_several(number, next) {
            return self.frame(number, address, packet);
        }
        let key = (number, next);
        if let Some(address) = self.neighbours.resolve(self.now, key) {
            self.frame(number, address, packet);
        } else if self.neighbours.wait(self.now, key, core::mem::take(packet)) {
            self.solicit(key, None);
        }
    }

    /// The Ethernet address of everyone, or of a group.
    fn address_of_several(&self, number: u32, to: IpAddr) -> Option<ethernet::Address> {
        match to {
            _ if to.is_multicast() => Some(of_group(to)),
            IpAddr::V4(to) if to.is_broadcast() || self.is_broadcast(number, to) => Some(ethernet::Address::BROADCAST),
            _ => None,
        }
    }

    /// Queues a packet of IP for the station at an address.
    pub(super) fn frame(&mut self, number: u32, to: ethernet::Address, packet: &mut Packet) {
        self.frame_of(number, to, if is_v4(packet) { ethernet::IPV4 } else { ethernet::IPV6 }, packet);
    }

    pub(super) fn frame_of(&mut self, number: u32, to: ethernet::Address, kind: u16, packet: &mut Packet) {
        let Some(interface) = self.interface_mut(number) else { return };
        let Medium::Ethernet(own) = interface.medium else { return };
        let header = ethernet::Header { destination: to, source: own, kind: kind.into() };
        packet.head.prepend(header.as_bytes());
        moved(packet, ethernet::HEADER);
        interface.enqueue(packet);
    }

    /// Sends what has waited for a neighbour.
    pub(super) fn flush(&mut self, key: Key, to: ethernet::Address, packets: impl IntoIterator<Item = Packet>) {
        for mut packet in packets {
            self.frame(key.0, to, &mut packet);
        }
    }

    /// Asks who has an address: everyone, or whoever had it.
    pub(super) fn solicit(&mut self, key: Key, at: Option<ethernet::Address>) {
        match key.1 {
            IpAddr::V4(address) if P::IPV4 => self.ask_arp(key.0, address, at),
            IpAddr::V6(address) if P::IPV6 => self.solicit_v6(key.0, address, at),
            _ => {}
        }
    }

    /// Does what is due with neighbours.
    pub(super) fn poll_neighbours(&mut self, now: Instant) {
        while let Some(due) = self.neighbours.due(now) {
            match due {
                Due::Solicit(key, at) => self.solicit(key, at),
                Due::Failed(_, packets) => packets.iter().for_each(|packet| self.failed_here(packet)),
            }
        }
    }

    /// Something that can only come from a neighbour shows that it gets what we send: RFC 4861, 7.3.1.
    pub fn confirm(&mut self, now: Instant, to: IpAddr, number: u32) {
        let version = self.version();
        if !self.ways.confirm(now, version, to) {
            return;
        }
        let next = self.routes.find(to, number, |_| true).and_then(|route| route.gateway).unwrap_or(to);
        self.neighbours.confirm(now, (number, next));
    }
}

fn is_v4(packet: &Packet) -> bool {
    packet.front().first().is_some_and(|byte| byte >> 4 == 4)
}
