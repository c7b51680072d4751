//! `/proc/net/{route,ipv6_route,arp}`: routes and neighbours.

use alloc::{string::ToString, vec::Vec};
use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use contracts::{
    sockets,
    sockets_element::{Interface, Medium},
};

use super::interfaces::halves;
use crate::objects::text::{fill, pad};

/// RTF_UP, RTF_GATEWAY, RTF_HOST.
const UP: u64 = 1;
const GATEWAY: u64 = 2;
const HOST: u64 = 4;

/// What marks the rest of a line as an interface's.
fn name(interfaces: &[Interface], number: u32) -> &[u8] {
    interfaces.iter().find(|interface| interface.number == number).map_or(b"*", Interface::name)
}

/// Numbers as Linux prints addresses of IPv4: in the order of a little-endian machine.
fn shown(address: Ipv4Addr) -> u64 {
    u32::from_le_bytes(address.octets()).into()
}

/// `route`: those of the main table, which the loop's are not in.
pub fn routes(_: u32, out: &mut Vec<u8>) {
    let interfaces = sockets::interfaces();
    const WIDTH: usize = 127;
    let line = |out: &mut Vec<u8>, text: &[u8]| {
        let start = out.len();
        out.extend_from_slice(text);
        pad(out, start + WIDTH);
        out.push(b'\n');
    };
    line(out, b"Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT");
    let loops = |number| interfaces.iter().any(|one| one.number == number && one.medium == Medium::Loopback);
    for route in sockets::routes() {
        let IpAddr::V4(destination) = route.destination else { continue };
        if loops(route.interface) {
            continue;
        }
        let mask = u32::MAX.checked_shl(32 - u32::from(route.length)).unwrap_or(0);
        let gateway = if let Some(IpAddr::V4(gateway)) = route.gateway { gateway } else { Ipv4Addr::UNSPECIFIED };
        let mut text = name(&interfaces, route.interface).to_vec();
        fill(&mut text, "\t", &[]);
        upper(&mut text, shown(destination));
        text.push(b'\t');
        upper(&mut text, shown(gateway));
        fill(&mut text, "\t000^\t0\t0\t#\t", &[flags(route.gateway, route.length == 32), route.metric.into()]);
        upper(&mut text, shown(mask.into()));
        fill(&mut text, "\t0\t0\t0", &[]);
        line(out, &text);
    }
}

fn flags(gateway: Option<IpAddr>, host: bool) -> u64 {
    UP | if gateway.is_some() { GATEWAY } else { 0 } | if host { HOST } else { 0 }
}

/// Eight hexadecimal digits, large ones.
fn upper(out: &mut Vec<u8>, number: u64) {
    let start = out.len();
    fill(out, "$", &[number]);
    out[start..].make_ascii_uppercase();
}

/// `ipv6_route`: destination, source, next stop, metric, users, uses, flags, interface.
pub fn routes_v6(_: u32, out: &mut Vec<u8>) {
    let interfaces = sockets::interfaces();
    for route in sockets::routes() {
        let IpAddr::V6(destination) = route.destination else { continue };
        let gateway = if let Some(IpAddr::V6(gateway)) = route.gateway { gateway } else { Ipv6Addr::UNSPECIFIED };
        let ([high, low], [next_high, next_low]) = (halves(destination.octets()), halves(gateway.octets()));
        let flags = flags(route.gateway, route.length == 128);
        let numbers = [high, low, route.length.into(), 0, 0, next_high, next_low, route.metric.into(), 1, 0, flags];
        fill(out, "&& % && 00 && $ $ $ $ ", &numbers);
        let interface = name(&interfaces, route.interface);
        out.resize(out.len() + 8_usize.saturating_sub(interface.len()), b' ');
        out.extend_from_slice(interface);
        out.push(b'\n');
    }
}

/// `arp`: neighbours of IPv4.
pub fn neighbours(_: u32, out: &mut Vec<u8>) {
    let interfaces = sockets::interfaces();
    out.extend_from_slice(b"IP address       HW type     Flags       HW address            Mask     Device\n");
    for neighbour in sockets::neighbours() {
        let IpAddr::V4(address) = neighbour.address else { continue };
        let start = out.len();
        out.extend_from_slice(address.to_string().as_bytes());
        pad(out, start + 17);
        // ARPHRD_ETHER; ATF_COM, if it has answered.
        fill(out, "0x1         0x^         ", &[if neighbour.hardware.is_some() { 2 } else { 0 }]);
        let [a, b, c, d, e, f] = neighbour.hardware.unwrap_or_default().map(u64::from);
        fill(out, "%:%:%:%:%:%     *        ", &[a, b, c, d, e, f]);
        out.extend_from_slice(name(&interfaces, neighbour.interface));
        out.push(b'\n');
    }
}
