//! Routes: `struct rtmsg`.

use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use sockets::{Assigned, Medium, Origin, Route};

use super::{Facts, V4, V6, family, kinds::NEW_ROUTE, octets, wants};
use crate::{Message, Request, attributes, error};

/// Attributes: rtnetlink(7).
mod attribute {
    pub const DESTINATION: u16 = 1;
    pub const INTERFACE: u16 = 4;
    pub const GATEWAY: u16 = 5;
    pub const METRIC: u16 = 6;
    pub const SOURCE: u16 = 7;
    pub const TABLE: u16 = 15;
}

/// Bytes of the header.
const HEADER: usize = 12;
/// RT_TABLE_MAIN, RT_TABLE_LOCAL.
const MAIN: u8 = 254;
const LOCAL: u8 = 255;
/// RT_SCOPE_LINK, RT_SCOPE_HOST.
const LINK: u8 = 253;
const HOST: u8 = 254;

/// All of a family: those to others, and those to this machine's own addresses.
pub fn all(request: &Request<'_>, facts: &dyn Facts) -> impl Iterator<Item = Message> {
    let wanted = request.family();
    let (addresses, loops) = (facts.addresses(), loops(facts));
    let routes = facts.routes().into_iter().filter(move |route| wants(wanted, route.destination));
    let own = addresses.clone().into_iter().filter(move |own| wants(wanted, own.address));
    let own = own.map(move |own| of_own(&own, if own.address.is_ipv4() { own.interface } else { loops }));
    // That to all of 127.0.0.0/8 is a local one on Linux, and is not shown among the others.
    let routes = routes.filter(move |route| !(route.interface == loops && route.destination.is_ipv4()));
    routes.map(move |route| told(&route, &addresses)).chain(own)
}

/// The interface that leads back.
fn loops(facts: &dyn Facts) -> u32 {
    let interfaces = facts.interfaces();
    interfaces.iter().find(|interface| interface.medium == Medium::Loopback).map_or(0, |interface| interface.number)
}

/// The way to an address: RTA_DST.
pub fn one(request: &Request<'_>, facts: &dyn Facts) -> Result<Message, i32> {
    let to = destination(request).ok_or(error::INVALID)?;
    let addresses = facts.addresses();
    if let Some(own) = addresses.iter().find(|own| own.address == to) {
        return Ok(of_own(own, loops(facts)));
    }
    let only = named(request, attribute::INTERFACE).and_then(|bytes| bytes.first_chunk().copied());
    let only = only.map_or(0, u32::from_ne_bytes);
    let leads = |route: &&Route| contains(route, to) && (only == 0 || route.interface == only);
    let routes = facts.routes();
    let route = routes.iter().find(leads).ok_or(error::UNREACHABLE)?;
    let length = if to.is_ipv4() { 32 } else { 128 };
    Ok(told(&Route { destination: to, length, ..*route }, &addresses))
}

fn named<'a>(request: &Request<'a>, wanted: u16) -> Option<&'a [u8]> {
    let all = request.payload().get(HEADER..).unwrap_or_default();
    attributes(all).find(|&(kind, _)| kind == wanted).map(|(_, content)| content)
}

fn destination(request: &Request<'_>) -> Option<IpAddr> {
    let bytes = named(request, attribute::DESTINATION)?;
    match request.family() {
        V4 => bytes.first_chunk::<4>().map(|bytes| Ipv4Addr::from(*bytes).into()),
        V6 => bytes.first_chunk::<16>().map(|bytes| Ipv6Addr::from(*bytes).into()),
        _ => None,
    }
}

/// Whether a route is for an address.
fn contains(route: &Route, to: IpAddr) -> bool {
    let common = match (route.destination, to) {
        (IpAddr::V4(one), IpAddr::V4(other)) => (u32::from(one) ^ u32::from(other)).leading_zeros(),
        (IpAddr::V6(one), IpAddr::V6(other)) => (u128::from(one) ^ u128::from(other)).leading_zeros(),
        _ => return false,
    };
    common >= route.length.into()
}

fn header(family: u8, length: u8, [table, protocol, scope, kind]: [u8; 4]) -> [u8; HEADER] {
    [family, length, 0, 0, table, protocol, scope, kind, 0, 0, 0, 0]
}

fn told(route: &Route, addresses: &[Assigned]) -> Message {
    // RTPROT_KERNEL, RTPROT_STATIC, RTPROT_DHCP, RTPROT_RA.
    let protocol = match route.origin {
        Origin::Connected => 2,
        Origin::Static => 4,
        Origin::Dhcp => 16,
        Origin::Advertised => 9,
    };
    let scope = if route.gateway.is_none() && route.destination.is_ipv4() { LINK } else { 0 };
    let head = header(family(route.destination), route.length, [MAIN, protocol, scope, 1]);
    let mut message = Message::new(NEW_ROUTE, &head).with_word(attribute::TABLE, MAIN.into());
    if route.length > 0 {
        message = message.with(attribute::DESTINATION, &octets(route.destination));
    }
    if route.metric > 0 {
        message = message.with_word(attribute::METRIC, route.metric);
    }
    // Packets on a link get the address by which the machine is on it.
    let own = || addresses.iter().find(|own| own.interface == route.interface && own.address.is_ipv4());
    let on_link = route.gateway.is_none() && route.destination.is_ipv4();
    let source = route.source.or_else(|| on_link.then(own).flatten().map(|own| own.address));
    if let Some(source) = source {
        message = message.with(attribute::SOURCE, &octets(source));
    }
    if let Some(gateway) = route.gateway {
        message = message.with(attribute::GATEWAY, &octets(gateway));
    }
    message.with_word(attribute::INTERFACE, route.interface)
}

/// The route to an address of the machine's own, which is a local one (RTN_LOCAL).
fn of_own(own: &Assigned, interface: u32) -> Message {
    let (family, length) = if own.address.is_ipv4() { (V4, 32) } else { (V6, 128) };
    let scope = if family == V4 { HOST } else { 0 };
    let message = Message::new(NEW_ROUTE, &header(family, length, [LOCAL, 2, scope, 2]))
        .with_word(attribute::TABLE, LOCAL.into())
        .with(attribute::DESTINATION, &octets(own.address))
        .with_word(attribute::INTERFACE, interface);
    if family == V4 { message.with(attribute::SOURCE, &octets(own.address)) } else { message }
}
