//! Nobody else has the address: RFC 5227, for what DHCP gives of IPv4 on Ethernet. An address that somebody has chosen
//! is used at once, as Linux does.

use core::{
    net::{IpAddr, Ipv4Addr},
    time::Duration,
};

use packets::ethernet;
use smoltcp::wire::ArpOperation;

use super::{Ip, time::Duty};
use crate::{interface::Standing, parts::Parts};

/// RFC 5227, 1.1: `PROBE_WAIT`, `PROBE_NUM`, `PROBE_MIN` and `PROBE_MAX`.
const PROBE_WAIT: Duration = Duration::from_secs(1);
const PROBES: u8 = 3;
const PROBE_LEAST: Duration = Duration::from_secs(1);
const PROBE_MOST: Duration = Duration::from_secs(2);
/// RFC 5227, 1.1: `ANNOUNCE_WAIT`, `ANNOUNCE_NUM` and `ANNOUNCE_INTERVAL`.
const ANNOUNCE_WAIT: Duration = Duration::from_secs(2);
const ANNOUNCEMENTS: u8 = 2;
const ANNOUNCE_INTERVAL: Duration = Duration::from_secs(2);
/// RFC 5227, 1.1: `DEFEND_INTERVAL`.
const DEFEND_INTERVAL: Duration = Duration::from_secs(10);

impl<P: Parts> Ip<P> {
    /// Begins to ask for an address that was given.
    pub(super) fn probe(&mut self, number: u32, address: Ipv4Addr) {
        let at = self.now + self.random.up_to(PROBE_WAIT);
        self.duties.set(at, Duty::Probe(number, address, PROBES));
    }

    fn is_tentative(&mut self, number: u32, address: Ipv4Addr) -> bool {
        let assigned = self.interface_mut(number).and_then(|found| found.assigned(address.into()));
        assigned.is_some_and(|assigned| assigned.standing == Standing::Tentative)
    }

    /// Asks once more, or takes the address.
    pub(super) fn probe_again(&mut self, number: u32, address: Ipv4Addr, left: u8) {
        if !self.is_tentative(number, address) {
            return;
        }
        if left == 0 {
            if let Some(assigned) = self.interface_mut(number).and_then(|found| found.assigned(address.into())) {
                assigned.standing = Standing::Ours;
            }
            self.own(number, address.into());
            return self.announce(number, address, ANNOUNCEMENTS);
        }
        // RFC 5227, 2.1.1: from nobody, so that no table learns it.
        let target = (ethernet::Address::default(), address);
        let (from, to) = (Ipv4Addr::UNSPECIFIED, ethernet::Address::BROADCAST);
        self.say_arp(number, ArpOperation::Request, from, target, to);
        let between = PROBE_LEAST + self.random.up_to(PROBE_MOST - PROBE_LEAST);
        let wait = if left == 1 { ANNOUNCE_WAIT } else { between };
        self.duties.set(self.now + wait, Duty::Probe(number, address, left - 1));
    }

    /// Tells everyone once that an address is this interface's, as whoever gets a fixed one may (RFC 5227, 2.3): what
    /// others wanted to send it before there was anybody to ask comes now.
    pub fn announce_once(&mut self, number: u32, address: Ipv4Addr) {
        let target = (ethernet::Address::default(), address);
        self.say_arp(number, ArpOperation::Request, address, target, ethernet::Address::BROADCAST);
    }

    /// Tells everyone who has the address: RFC 5227, 2.3.
    pub(super) fn announce(&mut self, number: u32, address: Ipv4Addr, left: u8) {
        if left == 0 || !self.is_ours(number, address.into()) {
            return;
        }
        self.announce_once(number, address);
        self.duties.set(self.now + ANNOUNCE_INTERVAL, Duty::Announce(number, address, left - 1));
    }

    /// Somebody else speaks from an address, or asks for one to take it: `true` if it is one that we are trying, which
    /// nobody gets then (RFC 5227, 2.1.1).
    pub(super) fn conflicts(&mut self, number: u32, address: Ipv4Addr) -> bool {
        if !self.is_tentative(number, address) {
            return false;
        }
        if let Some(assigned) = self.interface_mut(number).and_then(|found| found.assigned(address.into())) {
            assigned.standing = Standing::Duplicate;
        }
        self.ways.changed();
        if self.conflicts.len() < self.interfaces.len() {
            self.conflicts.push((number, address));
        }
        true
    }

    /// Somebody uses our address: all are told whose it is, once in ten seconds (RFC 5227, 2.4 (b)). More would be a
    /// flood's fuel.
    pub(super) fn defend(&mut self, number: u32, address: IpAddr) {
        let (now, IpAddr::V4(address)) = (self.now, address) else { return };
        let Some(interface) = self.interface_mut(number) else { return };
        if interface.defended.is_some_and(|last| now.since(last) < DEFEND_INTERVAL) {
            return;
        }
        interface.defended = Some(now);
        let target = (ethernet::Address::default(), address);
        self.say_arp(number, ArpOperation::Request, address, target, ethernet::Address::BROADCAST);
    }

    /// Takes out an address that was given and that somebody else has, with its interface.
    pub fn take_conflict(&mut self) -> Option<(u32, Ipv4Addr)> {
        self.conflicts.pop()
    }
}
