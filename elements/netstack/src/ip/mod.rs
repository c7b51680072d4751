//! IP: interfaces, addresses, routes, neighbours, and what goes through them.
//!
//! One [`Ip`] is all of a machine below its transports. [`Ip::input`] takes a frame and gives what it carries to
//! whoever is above; [`Ip::send`] takes the other way. It does not forward: a packet for somebody else is dropped and
//! counted.

mod addresses;
mod arp;
mod detection;
mod discovery;
mod fragments;
mod groups;
mod input;
mod input_v4;
mod input_v6;
mod lease;
mod lifetimes;
mod link;
mod messages;
mod output;
mod probing;
mod problems;
mod routers;
mod routing;
mod servers;
mod time;
mod transport;

use alloc::{collections::BTreeMap, vec::Vec};
use core::{
    marker::PhantomData,
    net::{IpAddr, Ipv4Addr},
};

use packets::{Instant, Packet};

use crate::{
    bucket::Bucket,
    delivery::Told,
    interface::Interface,
    neighbours::Neighbours,
    own::Own,
    parts::{Everything, Parts},
    path_mtu::PathMtu,
    reassembly::Reassembly,
    routes::Routes,
    secret::{Random, Secret},
    statistics::{IcmpStatistics, IpStatistics},
    ways::Ways,
};
use groups::Groups;
pub use servers::Server;
use time::{Duties, Duty};

/// Errors of ICMP that are sent in a second, and at once: Linux' `icmp_msgs_per_sec` and `icmp_msgs_burst`.
const ERRORS: (u32, u32) = (1000, 50);
/// Echoes that are answered in a second, and at once: enough for a flood of `ping -f`, too few to amplify.
const ECHOES: (u32, u32) = (10_000, 1000);

/// An interface, a source and a destination, and the version of all that their judgement follows from.
type Familiar = (u32, Ipv4Addr, Ipv4Addr, u64);

/// Everything below the transports.
#[derive(Debug)]
pub struct Ip<P: Parts = Everything> {
    /// The latest moment that somebody has told.
    now: Instant,
    secret: Secret,
    random: Random,
    interfaces: Vec<Interface>,
    /// Something may wait for a device.
    outgoing: bool,
    /// Our addresses that can be used.
    local: Own,
    /// Ways that were found of late.
    ways: Ways,
    /// The last packet that was for us alone: most are from the same to the same.
    familiar: Option<Familiar>,
    loopback: u32,
    routes: Routes,
    neighbours: Neighbours,
    paths: PathMtu,
    reassembly: Reassembly,
    groups: Groups,
    /// Queries about groups that wait for their answer, and until when.
    answers: BTreeMap<Duty, Instant>,
    errors: Bucket,
    echoes: Bucket,
    duties: Duties,
    /// For when the duty to expire is set.
    expiry: Option<Instant>,
    servers: Vec<Server>,
    /// Interfaces whose routers say, anew, that DHCPv6 knows more: RFC 4861, 4.2.
    other_configuration: Vec<u32>,
    /// Addresses that DHCP has given and somebody else has.
    conflicts: Vec<(u32, Ipv4Addr)>,
    /// Packets of ours for groups that we have joined ourselves.
    looped: Vec<(u32, Packet)>,
    /// One of them is being taken: it has a source of ours, and nobody has forged it.
    looping: bool,
    told: Vec<Told>,
    statistics: [IpStatistics; 2],
    icmp: [IcmpStatistics; 2],
    /// For the fragments of IPv4: RFC 6864.
    identification: u16,
    parts: PhantomData<P>,
}

impl<P: Parts> Ip<P> {
    /// Without interfaces.
    #[must_use]
    pub fn new(secret: Secret) -> Self {
        let mut random = secret.random("ip");
        let identification = random.next() as u16;
        Self {
            now: Instant::default(),
            local: Own::default(),
            ways: Ways::default(),
            familiar: None,
            neighbours: Neighbours::new(&secret),
            paths: PathMtu::new(&secret),
            reassembly: Reassembly::new(&secret),
            groups: Groups::default(),
            answers: BTreeMap::new(),
            secret,
            random,
            interfaces: Vec::new(),
            outgoing: false,
            loopback: 0,
            routes: Routes::default(),
            errors: Bucket::new(ERRORS.0, ERRORS.1),
            echoes: Bucket::new(ECHOES.0, ECHOES.1),
            duties: Duties::default(),
            expiry: None,
            servers: Vec::new(),
            other_configuration: Vec::new(),
            conflicts: Vec::new(),
            looped: Vec::new(),
            looping: false,
            told: Vec::new(),
            statistics: Default::default(),
            icmp: Default::default(),
            identification,
            parts: PhantomData,
        }
    }

    /// What waits for fragments, and for neighbours' answers, takes so many bytes each at most.
    pub fn set_limit(&mut self, bytes: usize) {
        self.reassembly.set_limit(bytes);
        self.neighbours.set_limit(bytes);
    }

    /// The numbers of the interfaces: from 1 on.
    pub fn numbers(&self) -> core::ops::RangeInclusive<u32> {
        1..=self.interfaces.len() as u32
    }

    /// The interface of a number.
    #[must_use]
    pub fn interface(&self, number: u32) -> Option<&Interface> {
        self.interfaces.get((number as usize).wrapping_sub(1))
    }

    pub(crate) fn interface_mut(&mut self, number: u32) -> Option<&mut Interface> {
        self.interfaces.get_mut((number as usize).wrapping_sub(1))
    }

    /// The interface that leads back to us, or 0.
    #[must_use]
    pub const fn loopback(&self) -> u32 {
        self.loopback
    }

    /// The routes.
    #[must_use]
    pub const fn routes(&self) -> &Routes {
        &self.routes
    }

    /// The neighbours.
    #[must_use]
    pub const fn neighbours(&self) -> &Neighbours {
        &self.neighbours
    }

    /// What is known about paths.
    #[must_use]
    pub const fn paths(&self) -> &PathMtu {
        &self.paths
    }

    /// Says what time it is: for calls that look for a way and send nothing.
    pub const fn set_time(&mut self, now: Instant) {
        self.now = now;
    }

    /// What time it is, as far as anybody has said so.
    #[must_use]
    pub const fn time(&self) -> Instant {
        self.now
    }

    /// Bytes of fragments that wait for others.
    #[must_use]
    pub const fn reassembly_memory(&self) -> usize {
        self.reassembly.memory()
    }

    /// Counts of a version of IP.
    #[must_use]
    pub const fn statistics(&self, ipv4: bool) -> &IpStatistics {
        &self.statistics[if ipv4 { 0 } else { 1 }]
    }

    /// Counts of ICMP or ICMPv6.
    #[must_use]
    pub const fn icmp_statistics(&self, ipv4: bool) -> &IcmpStatistics {
        &self.icmp[if ipv4 { 0 } else { 1 }]
    }

    pub(crate) fn counts(&mut self, ipv4: bool) -> &mut IpStatistics {
        &mut self.statistics[usize::from(!ipv4)]
    }

    fn icmp_counts(&mut self, ipv4: bool) -> &mut IcmpStatistics {
        &mut self.icmp[usize::from(!ipv4)]
    }

    /// Whether any packet may wait for a device.
    #[must_use]
    #[inline]
    pub const fn has_outgoing(&self) -> bool {
        self.outgoing
    }

    /// Devices have taken what they have room for; whether anything is left.
    pub const fn has_sent(&mut self, waits: bool) {
        self.outgoing = waits;
    }

    /// Packets that wait for the device of an interface, whole frames, the first one first. The device takes them out.
    pub fn outgoing(&mut self, number: u32) -> Option<&mut Vec<Packet>> {
        self.interface_mut(number).map(|interface| &mut interface.queue)
    }

    /// Believes that a path is so narrow: what ICMP quoted was a packet of a socket of ours.
    pub fn narrow(&mut self, now: Instant, to: IpAddr, mtu: u16) {
        self.paths.learn(now, to, mtu);
    }

    /// Takes out what is known about packets of ours that failed here, for the sockets.
    pub fn take_told(&mut self) -> Vec<Told> {
        core::mem::take(&mut self.told)
    }

    /// Takes out an interface whose routers say, anew, that DHCPv6 knows more.
    pub fn take_other_configuration(&mut self) -> Option<u32> {
        self.other_configuration.pop()
    }

    /// Whether there are packets that are for ourselves too.
    #[must_use]
    #[inline]
    pub const fn has_looped(&self) -> bool {
        !self.looped.is_empty()
    }

    /// Takes out the packets that are for ourselves too, with the interfaces that they come by.
    pub fn take_looped(&mut self) -> Vec<(u32, Packet)> {
        core::mem::take(&mut self.looped)
    }
}
