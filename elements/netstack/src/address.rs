//! Addresses: prefixes, what kind an address is of, and those that follow from others.

use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use packets::ethernet;

/// All hosts of a link: RFC 1112, 4.
pub const ALL_HOSTS: Ipv4Addr = Ipv4Addr::new(224, 0, 0, 1);
/// All nodes of a link: RFC 4291, 2.7.1.
pub const ALL_NODES: Ipv6Addr = Ipv6Addr::new(0xff02, 0, 0, 0, 0, 0, 0, 1);
/// All routers of a link: RFC 4291, 2.7.1.
pub const ALL_ROUTERS: Ipv6Addr = Ipv6Addr::new(0xff02, 0, 0, 0, 0, 0, 0, 2);

/// An address and how many of its first bits name its network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Prefix {
    /// The address.
    pub address: IpAddr,
    /// Bits of the network, at most 32 or 128.
    pub length: u8,
}

impl Prefix {
    /// One of an address, or `None` if the length cannot be.
    #[must_use]
    pub const fn new(address: IpAddr, length: u8) -> Option<Self> {
        let most = if address.is_ipv4() { 32 } else { 128 };
        if length <= most { Some(Self { address, length }) } else { None }
    }

    /// All addresses of a family.
    #[must_use]
    pub const fn everything(ipv4: bool) -> Self {
        let v4 = IpAddr::V4(Ipv4Addr::UNSPECIFIED);
        Self { address: if ipv4 { v4 } else { IpAddr::V6(Ipv6Addr::UNSPECIFIED) }, length: 0 }
    }

    /// Whether an address is in its network.
    #[must_use]
    pub fn contains(&self, address: IpAddr) -> bool {
        self.address.is_ipv4() == address.is_ipv4() && common_bits(self.address, address) >= self.length
    }

    /// The network without the address: its other bits are zero.
    #[must_use]
    pub fn network(&self) -> Self {
        let address = match self.address {
            IpAddr::V4(address) => IpAddr::V4(Ipv4Addr::from_bits(address.to_bits() & self.mask_v4())),
            IpAddr::V6(address) => {
                let mask = u128::MAX.checked_shl(128 - u32::from(self.length)).unwrap_or(0);
                IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & mask))
            }
        };
        Self { address, length: self.length }
    }

    /// Everyone in the network, if there is such an address: RFC 919; networks of two have none (RFC 3021).
    #[must_use]
    pub fn broadcast(&self) -> Option<Ipv4Addr> {
        match self.address {
            IpAddr::V4(address) if self.length < 31 => Some(Ipv4Addr::from_bits(address.to_bits() | !self.mask_v4())),
            _ => None,
        }
    }

    fn mask_v4(&self) -> u32 {
        u32::MAX.checked_shl(32 - u32::from(self.length)).unwrap_or(0)
    }
}

/// How many of the first bits two addresses of one family have in common.
#[must_use]
pub fn common_bits(one: IpAddr, other: IpAddr) -> u8 {
    match (one, other) {
        (IpAddr::V4(one), IpAddr::V4(other)) => (one.to_bits() ^ other.to_bits()).leading_zeros() as u8,
        (IpAddr::V6(one), IpAddr::V6(other)) => (one.to_bits() ^ other.to_bits()).leading_zeros() as u8,
        _ => 0,
    }
}

/// The group that each owner of an address joins: RFC 4291, 2.7.1.
#[must_use]
pub fn solicited_node(address: Ipv6Addr) -> Ipv6Addr {
    let base = Ipv6Addr::new(0xff02, 0, 0, 0, 0, 1, 0xff00, 0).to_bits();
    Ipv6Addr::from_bits(base | address.to_bits() & 0x00ff_ffff)
}

/// The Ethernet address of a group: RFC 1112, 6.4 and RFC 2464, 7.
#[must_use]
pub fn of_group(group: IpAddr) -> ethernet::Address {
    ethernet::Address(match group {
        IpAddr::V4(group) => {
            let [_, b, c, d] = group.octets();
            [0x01, 0x00, 0x5e, b & 0x7f, c, d]
        }
        IpAddr::V6(group) => {
            let [a, b, c, d] = (group.to_bits() as u32).to_be_bytes();
            [0x33, 0x33, a, b, c, d]
        }
    })
}

/// Whether an address is only for its link, so that its interface belongs to it.
#[must_use]
pub const fn is_of_link(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(_) => false,
        IpAddr::V6(address) => address.is_unicast_link_local() || is_group_of_link(address),
    }
}

const fn is_group_of_link(address: Ipv6Addr) -> bool {
    address.segments()[0] & 0xff0f == 0xff02
}

/// How far an address reaches, as a number that grows: RFC 6724, 3.1 with the values of RFC 4291, 2.7.
#[must_use]
pub const fn scope(address: Ipv6Addr) -> u8 {
    if address.is_multicast() {
        (address.segments()[0] & 0xf) as u8
    } else if address.is_unicast_link_local() || address.is_loopback() {
        2
    } else {
        14
    }
}
