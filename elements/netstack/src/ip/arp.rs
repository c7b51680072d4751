//! ARP: RFC 826, and RFC 5227 for conflicts.

use core::net::{IpAddr, Ipv4Addr};

use packets::{Packet, ethernet};
use smoltcp::wire::{ArpOperation, ArpPacket, ArpRepr, EthernetAddress};

use super::Ip;
use crate::{interface::Standing, neighbours::Answer, parts::Parts, software::flatten};

/// Bytes of a message for Ethernet and IPv4.
const LENGTH: usize = 28;

impl<P: Parts> Ip<P> {
    pub(super) fn input_arp(&mut self, number: u32, own: ethernet::Address, packet: &mut Packet) {
        packet.truncate(LENGTH);
        flatten(packet);
        let message = ArpPacket::new_checked(packet.front()).and_then(|message| ArpRepr::parse(&message));
        let Ok(ArpRepr::EthernetIpv4 {
            operation,
            source_hardware_addr,
            source_protocol_addr,
            target_protocol_addr,
            ..
        }) = message
        else {
            return self.dropped(number);
        };
        let (station, from) = (ethernet::Address(source_hardware_addr.0), source_protocol_addr);
        let ours = self.is_ours(number, from.into());
        if station != own && !station.is_multicast() {
            // RFC 5227, 2.1.1: who speaks from the address that we are trying, or tries it too.
            let wanted = if from.is_unspecified() { target_protocol_addr } else { from };
            if self.conflicts(number, wanted) {
                return self.dropped(number);
            }
            if ours {
                self.defend(number, from.into());
            }
        }
        if station.is_multicast() || station == own || ours || from.is_multicast() || from.is_broadcast() {
            return self.dropped(number);
        }
        let asked = self.is_ours(number, target_protocol_addr.into());
        let key = (number, IpAddr::V4(from));
        let waiting = match operation {
            _ if from.is_unspecified() => Default::default(),
            ArpOperation::Request if asked => self.neighbours.heard(self.now, key, station),
            _ => {
                let solicited = asked && operation == ArpOperation::Reply;
                let answer = Answer { address: Some(station), solicited, replaces: true, router: None };
                self.neighbours.answered(self.now, key, &answer)
            }
        };
        self.flush(key, station, waiting);
        if asked && operation == ArpOperation::Request {
            // Also to a probe, which comes from nobody: RFC 5227, 2.1.1.
            self.say_arp(number, ArpOperation::Reply, target_protocol_addr, (station, from), station);
        }
    }

    /// Asks who has an address.
    pub(super) fn ask_arp(&mut self, number: u32, address: Ipv4Addr, at: Option<ethernet::Address>) {
        let addresses = self.interface(number).map_or(&[][..], |interface| &interface.addresses);
        let ours = || addresses.iter().filter(|assigned| assigned.standing == Standing::Ours);
        let near = ours().find(|assigned| assigned.prefix.contains(address.into()));
        let usable = near.or_else(|| ours().find(|assigned| assigned.prefix.address.is_ipv4()));
        let Some(IpAddr::V4(from)) = usable.map(|assigned| assigned.prefix.address) else { return };
        let to = at.unwrap_or(ethernet::Address::BROADCAST);
        self.say_arp(number, ArpOperation::Request, from, (ethernet::Address::default(), address), to);
    }

    pub(super) fn say_arp(
        &mut self,
        number: u32,
        operation: ArpOperation,
        from: Ipv4Addr,
        target: (ethernet::Address, Ipv4Addr),
        to: ethernet::Address,
    ) {
        let Some(crate::interface::Medium::Ethernet(own)) = self.interface(number).map(|found| found.medium) else {
            return;
        };
        let message = ArpRepr::EthernetIpv4 {
            operation,
            source_hardware_addr: EthernetAddress(own.0),
            source_protocol_addr: from,
            target_hardware_addr: EthernetAddress(target.0.0),
            target_protocol_addr: target.1,
        };
        let mut bytes = [0; LENGTH];
        message.emit(&mut ArpPacket::new_unchecked(&mut bytes[..]));
        let mut packet = Packet::default();
        packet.head.push(&bytes);
        self.frame_of(number, to, ethernet::ARP, &mut packet);
    }
}
