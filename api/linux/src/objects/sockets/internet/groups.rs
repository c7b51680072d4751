//! Groups that a socket joins and leaves: ip(7), ipv6(7), RFC 3678.

use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use contracts::{sockets, sockets_element::Membership};
use linux_abi::{Errno, constants as c};

use super::{
    super::socket::{Answer, Value},
    Internet, errors,
};

/// Joins or leaves a group if that is what an option does; whether it is.
pub fn set(socket: &Internet, level: u32, option: u32, value: &Value) -> Answer<bool> {
    let (group, member) = match (level, option) {
        (c::SOL_IP, c::IP_ADD_MEMBERSHIP) => (request(value)?, true),
        (c::SOL_IP, c::IP_DROP_MEMBERSHIP) => (request(value)?, false),
        (c::SOL_IP, c::IP_ADD_SOURCE_MEMBERSHIP) => (with_source(value)?, true),
        (c::SOL_IP, c::IP_DROP_SOURCE_MEMBERSHIP) => (with_source(value)?, false),
        (c::SOL_IPV6, c::IPV6_ADD_MEMBERSHIP) => (request_v6(value)?, true),
        (c::SOL_IPV6, c::IPV6_DROP_MEMBERSHIP) => (request_v6(value)?, false),
        (c::SOL_IP | c::SOL_IPV6, c::MCAST_JOIN_GROUP) => (of_any(value)?, true),
        (c::SOL_IP | c::SOL_IPV6, c::MCAST_LEAVE_GROUP) => (of_any(value)?, false),
        _ => return Ok(false),
    };
    if !group.group.is_multicast() {
        return Err(Errno::EINVAL);
    }
    sockets::set_membership(socket.number, group, member).map_err(errors::errno)?;
    Ok(true)
}

/// `struct ip_mreqn`, or the shorter `struct ip_mreq`, which names the interface by one of its addresses.
fn request(value: &Value) -> Answer<Membership> {
    let (group, own, interface) = match value.structure::<[[u8; 4]; 3]>() {
        Ok([group, own, interface]) => (group, own, u32::from_ne_bytes(interface)),
        Err(Errno::EINVAL) => {
            let [group, own] = value.structure::<[[u8; 4]; 2]>()?;
            (group, own, 0)
        }
        Err(error) => return Err(error),
    };
    let interface = if interface == 0 { interface_of(own)? } else { interface };
    Ok(Membership { group: IpAddr::V4(group.into()), interface, source: None })
}

/// `struct ip_mreq_source`.
fn with_source(value: &Value) -> Answer<Membership> {
    let [group, own, source] = value.structure::<[[u8; 4]; 3]>()?.map(Ipv4Addr::from);
    let interface = interface_of(own.octets())?;
    Ok(Membership { group: IpAddr::V4(group), interface, source: Some(IpAddr::V4(source)) })
}

/// The interface that has an address of IPv4; 0: as routes say.
pub fn interface_of(own: [u8; 4]) -> Answer<u32> {
    let own = Ipv4Addr::from(own);
    if own.is_unspecified() {
        return Ok(0);
    }
    sockets::interface_of(IpAddr::V4(own)).ok_or(Errno::ENODEV)
}

/// `struct ipv6_mreq`.
fn request_v6(value: &Value) -> Answer<Membership> {
    let bytes = value.structure::<[u8; 20]>()?;
    Ok(Membership { group: IpAddr::V6(v6(&bytes[..16])?), interface: word(&bytes[16..])?, source: None })
}

/// `struct group_req`: an interface, and a `struct sockaddr_storage`.
fn of_any(value: &Value) -> Answer<Membership> {
    let bytes = value.structure::<[u8; 136]>()?;
    let group = match u32::from(u16::from_ne_bytes([bytes[8], bytes[9]])) {
        c::AF_INET => IpAddr::V4(Ipv4Addr::new(bytes[12], bytes[13], bytes[14], bytes[15])),
        c::AF_INET6 => IpAddr::V6(v6(&bytes[16..32])?),
        _ => return Err(Errno::EINVAL),
    };
    Ok(Membership { group, interface: word(&bytes[..4])?, source: None })
}

fn v6(bytes: &[u8]) -> Answer<Ipv6Addr> {
    bytes.first_chunk::<16>().map(|bytes| Ipv6Addr::from(*bytes)).ok_or(Errno::EINVAL)
}

fn word(bytes: &[u8]) -> Answer<u32> {
    bytes.first_chunk().map(|bytes| u32::from_ne_bytes(*bytes)).ok_or(Errno::EINVAL)
}
