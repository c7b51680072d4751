//! Addresses of the Internet as programs write them: `struct sockaddr_in` of ip(7), `struct sockaddr_in6` of ipv6(7).

use core::net::{SocketAddr, SocketAddrV4, SocketAddrV6};

use contracts::sockets_element::Family;
use linux_abi::{
    Errno,
    constants::{AF_INET, AF_INET6, AF_UNSPEC},
};

use super::super::{address::Address, socket::Answer};

/// Bytes of a `struct sockaddr_in`, and the least of a `struct sockaddr_in6` (without its scope, RFC 2133).
const V4: usize = 16;
const V6: usize = 24;

/// What the address of a call means.
pub enum Target {
    /// Nobody (AF_UNSPEC).
    Nobody,
    /// Somebody, in the family of the socket.
    Somebody(SocketAddr),
}

/// Linux' number of a family.
pub const fn number(family: Family) -> u32 {
    match family {
        Family::V4 => AF_INET,
        Family::V6 => AF_INET6,
    }
}

/// Whom connect(2) or a send names: EINVAL if it is too short, EAFNOSUPPORT if it is of another family.
pub fn target(address: &Address, family: Family) -> Answer<Target> {
    match address.family() {
        None => Err(Errno::EINVAL),
        Some(AF_UNSPEC) => Ok(Target::Nobody),
        Some(_) => named(address, family).map(Target::Somebody),
    }
}

/// An address of IPv4 that a socket of IPv6 is told: the mapped one (RFC 4291, 2.5.5.2).
pub fn mapped(address: &Address) -> Answer<SocketAddr> {
    named(address, Family::V4).map(|address| match address {
        SocketAddr::V4(address) => SocketAddrV6::new(address.ip().to_ipv6_mapped(), address.port(), 0, 0).into(),
        address @ SocketAddr::V6(_) => address,
    })
}

/// What bind(2) names. `0.0.0.0` without a family is one of IPv4, as old programs write it.
pub fn own(address: &Address, family: Family) -> Answer<SocketAddr> {
    if family == Family::V4 && address.family() == Some(AF_UNSPEC) {
        let own = v4(address.bytes())?;
        return if own.ip().is_unspecified() { Ok(own.into()) } else { Err(Errno::EAFNOSUPPORT) };
    }
    named(address, family)
}

fn named(address: &Address, family: Family) -> Answer<SocketAddr> {
    let bytes = address.bytes();
    let least = if family == Family::V4 { V4 } else { V6 };
    match (address.family(), family) {
        _ if bytes.len() < least => Err(Errno::EINVAL),
        (Some(AF_INET), Family::V4) => Ok(v4(bytes)?.into()),
        (Some(AF_INET6), Family::V6) => Ok(v6(bytes)?.into()),
        _ => Err(Errno::EAFNOSUPPORT),
    }
}

fn port(bytes: &[u8]) -> u16 {
    u16::from_be_bytes([bytes[2], bytes[3]])
}

fn v4(bytes: &[u8]) -> Answer<SocketAddrV4> {
    let ip: [u8; 4] = bytes.get(4..8).and_then(|ip| ip.try_into().ok()).ok_or(Errno::EINVAL)?;
    Ok(SocketAddrV4::new(ip.into(), port(bytes)))
}

fn v6(bytes: &[u8]) -> Answer<SocketAddrV6> {
    let ip: [u8; 16] = bytes.get(8..24).and_then(|ip| ip.try_into().ok()).ok_or(Errno::EINVAL)?;
    let flow = u32::from_be_bytes([bytes[4], bytes[5], bytes[6], bytes[7]]);
    let scope = bytes.get(24..28).and_then(|scope| scope.try_into().ok()).map_or(0, u32::from_ne_bytes);
    Ok(SocketAddrV6::new(ip.into(), port(bytes), flow, scope))
}

/// An address as a socket of this family shows it: one of IPv4 is a mapped one there (RFC 4291, 2.5.5.2).
pub fn told(address: SocketAddr, family: Family) -> Address {
    match (address, family) {
        (SocketAddr::V4(address), Family::V4) => told_v4(&address),
        (SocketAddr::V4(address), Family::V6) => {
            told_v6(&SocketAddrV6::new(address.ip().to_ipv6_mapped(), address.port(), 0, 0))
        }
        (SocketAddr::V6(address), _) => told_v6(&address),
    }
}

fn told_v4(address: &SocketAddrV4) -> Address {
    let mut rest = [0; V4 - 2];
    rest[..2].copy_from_slice(&address.port().to_be_bytes());
    rest[2..6].copy_from_slice(&address.ip().octets());
    Address::new(AF_INET, &rest)
}

fn told_v6(address: &SocketAddrV6) -> Address {
    let mut rest = [0; V6 + 2];
    rest[..2].copy_from_slice(&address.port().to_be_bytes());
    rest[2..6].copy_from_slice(&address.flowinfo().to_be_bytes());
    rest[6..22].copy_from_slice(&address.ip().octets());
    rest[22..].copy_from_slice(&address.scope_id().to_ne_bytes());
    Address::new(AF_INET6, &rest)
}
