//! An interface: what it is like, its addresses, and what waits to be sent.

use alloc::vec::Vec;
use core::{net::IpAddr, time::Duration};

use nic::{Attributes, Offloads};
use packets::{Checksum, Head, Instant, Offload, Packet, Parts, ethernet};

use crate::{address::Prefix, neighbours, statistics::InterfaceStatistics};

/// Packets that wait for the device: Linux' `txqueuelen`.
pub const QUEUE: usize = 1000;
/// Addresses of an interface. Of these, those from advertisements are bounded by themselves.
pub const ADDRESSES: usize = 32;

/// What is in front of the headers of IP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Medium {
    /// Ethernet, with our address.
    Ethernet(ethernet::Address),
    /// Nothing: there is one other side.
    Ip,
    /// Nothing: it leads back to us. What is sent to an address of this machine goes by the first of this kind.
    Loopback,
}

/// Who has given an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// Somebody said so.
    Static,
    /// DHCP.
    Dhcp,
    /// It follows from a router's advertisement: RFC 4862, 5.5.
    Advertised,
    /// The one that each interface of IPv6 has: RFC 4862, 5.3.
    LinkLocal,
}

/// Whether an address can be used: RFC 4862, 5.4.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Others are asked whether they have it.
    Tentative,
    /// It is ours.
    Ours,
    /// Somebody else has it.
    Duplicate,
}

/// An address of an interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Assigned {
    /// The address and its network.
    pub prefix: Prefix,
    /// Who gave it.
    pub origin: Origin,
    /// Whether it can be used.
    pub standing: Standing,
    /// From when on new connections rather use another; `None`: never.
    pub preferred_until: Option<Instant>,
    /// When it ends; `None`: never.
    pub valid_until: Option<Instant>,
    /// How many before it somebody else had: RFC 7217, 5, the counter of conflicts.
    pub attempt: u8,
}

impl Assigned {
    /// One that lasts.
    #[must_use]
    pub const fn lasting(prefix: Prefix, origin: Origin) -> Self {
        Self { prefix, origin, standing: Standing::Ours, preferred_until: None, valid_until: None, attempt: 0 }
    }

    /// Whether new connections rather use another one: RFC 4862, 5.5.4.
    #[must_use]
    pub fn is_deprecated(&self, now: Instant) -> bool {
        self.preferred_until.is_some_and(|until| until <= now)
    }
}

/// An interface.
#[derive(Debug)]
pub struct Interface {
    /// What its device is like.
    pub attributes: Attributes,
    /// What is in front of the headers of IP.
    pub medium: Medium,
    /// Counts.
    pub statistics: InterfaceStatistics,
    pub(crate) up: bool,
    /// A client of DHCP waits for an answer: packets for the address that is on offer are let through.
    pub(crate) configuring: bool,
    /// When our address was last defended: RFC 5227, 2.4.
    pub(crate) defended: Option<Instant>,
    /// What routers say counts.
    pub(crate) listens_to_routers: bool,
    pub(crate) router_heard: bool,
    /// Until when groups are told in the older way: IGMPv2 (RFC 3376, 7.2.1), MLDv1 (RFC 3810, 8.2.1).
    pub(crate) older: [Option<Instant>; 2],
    /// A router says that DHCPv6 knows more.
    pub(crate) other_configuration: bool,
    pub(crate) addresses: Vec<Assigned>,
    pub(crate) queue: Vec<Packet>,
    /// What routers say for packets of IPv6: RFC 4861, 6.3.2.
    pub(crate) hop_limit: u8,
    pub(crate) mtu_v6: usize,
    /// What a server of DHCP says.
    pub(crate) mtu_v4: usize,
    pub(crate) retransmit: Duration,
}

impl Interface {
    /// One that is down.
    #[must_use]
    pub fn new(attributes: Attributes, medium: Medium) -> Self {
        Self {
            attributes,
            medium,
            statistics: InterfaceStatistics::default(),
            up: false,
            configuring: false,
            defended: None,
            listens_to_routers: false,
            router_heard: false,
            older: [None; 2],
            other_configuration: false,
            addresses: Vec::new(),
            queue: Vec::new(),
            hop_limit: 64,
            mtu_v6: attributes.mtu,
            mtu_v4: attributes.mtu,
            retransmit: neighbours::RETRANSMIT,
        }
    }

    /// Whether packets go through.
    #[must_use]
    pub const fn is_up(&self) -> bool {
        self.up
    }

    /// Its addresses.
    #[must_use]
    pub fn addresses(&self) -> &[Assigned] {
        &self.addresses
    }

    /// The longest packet with its header of IP.
    #[must_use]
    pub fn mtu(&self, ipv4: bool) -> usize {
        let mtu = if ipv4 { self.mtu_v4 } else { self.mtu_v6 };
        mtu.min(u16::MAX.into())
    }

    /// Whether its device does all of this.
    #[must_use]
    pub const fn offloads(&self, wanted: Offloads) -> bool {
        self.attributes.offloads.contains(wanted)
    }

    /// Bytes in front of the header of IP.
    #[must_use]
    pub const fn link_header(&self) -> usize {
        if let Medium::Ethernet(_) = self.medium { ethernet::HEADER } else { 0 }
    }

    /// Whether what is sent now would be lost here.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.queue.len() >= QUEUE
    }

    /// Queues a whole frame; one that has no room is lost.
    pub(crate) fn enqueue(&mut self, packet: &mut Packet) {
        if !self.up || self.queue.len() >= QUEUE {
            self.statistics.send_dropped += 1;
            return;
        }
        self.statistics.sent_packets += 1;
        self.statistics.sent_bytes += packet.len() as u64;
        self.queue.push(core::mem::take(packet));
    }

    /// As [`Interface::enqueue`], where there is room.
    #[inline(always)]
    pub(crate) fn enqueue_whole(&mut self, head: Head, checksum: Checksum) {
        self.statistics.sent_packets += 1;
        self.statistics.sent_bytes += head.len() as u64;
        let offload = Offload { checksum, segmentation: None };
        self.queue.push(Packet { head, parts: Parts::new(), offload });
    }

    /// The entry of an address, whatever its standing.
    pub(crate) fn assigned(&mut self, address: IpAddr) -> Option<&mut Assigned> {
        self.addresses.iter_mut().find(|assigned| assigned.prefix.address == address)
    }
}
