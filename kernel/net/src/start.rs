//! The beginning: interfaces, addresses, routes.

use alloc::{vec, vec::Vec};
use core::net::IpAddr;

use netstack::{
    Attributes, Medium, Offloads, Parts, Prefix, Stack,
    routes::{Origin, Route},
};
use nic::Nics;

use crate::{
    chosen::{AUTO, DHCP},
    state::{Link, State, Woken, burst_of_memory, now},
    table::Table,
};

/// As Linux has it for `lo`.
const LOOPBACK_MTU: usize = 65_536;

/// A network over these interfaces, with addresses and routers for the first one.
///
/// # Panics
/// A text is none: nobody could be told otherwise.
pub fn start<'a, P: Parts>(
    nics: &impl Nics,
    addresses: impl Iterator<Item = &'a str>,
    routers: impl Iterator<Item = &'a str>,
) -> State<P> {
    let mut secret = [0; 32];
    contracts::entropy::fill(&mut secret);
    let memory = contracts::heap::statistics().limit;
    let mut stack = Stack::of_memory(secret, memory);
    let links = interfaces(&mut stack, nics);
    let mut unannounced = Vec::new();
    if let Some(first) = links.first() {
        let words: Vec<&str> = addresses.collect();
        let stated = words.iter().filter(|word| ![DHCP, AUTO].contains(word));
        let stated: Vec<Prefix> = stated.map(|word| of_option(word)).collect();
        for &prefix in &stated {
            // An address of a family that the image does not have is of no use, and does no harm.
            let added = stack.ip.add_address(now(), first.interface, prefix);
            if let (Ok(()), IpAddr::V4(address)) = (added, prefix.address) {
                unannounced.push((first.interface, address));
            }
        }
        for text in routers {
            let gateway: IpAddr =
                text.parse().unwrap_or_else(|_| panic!("the network's gateway `{text}` is none: say 10.0.2.2"));
            // Whoever asks for an address is told its routers too.
            if stated.iter().any(|prefix| prefix.address.is_ipv4() == gateway.is_ipv4()) {
                let _ = stack.ip.add_route(default_route(gateway, first.interface));
            }
        }
        ask(&mut stack, first.interface, &words);
    }
    State {
        stack,
        links,
        table: Table::default(),
        burst: Vec::new(),
        most: burst_of_memory(memory),
        woken: Woken::new(),
        alarm: None,
        unannounced,
    }
}

/// Begins to ask for addresses, where the words say so.
fn ask<P: Parts>(stack: &mut Stack<P>, interface: u32, words: &[&str]) {
    if P::IPV4 && P::DHCP && words.contains(&DHCP) {
        stack.start_dhcp(now(), interface).expect("the first interface is an Ethernet: DHCP needs one");
    }
    if P::AUTOCONFIGURATION && words.contains(&AUTO) {
        stack.ip.autoconfigure(now(), interface).expect("the first interface is an Ethernet: `auto` needs one");
    }
}

fn interfaces<P: Parts>(stack: &mut Stack<P>, nics: &impl Nics) -> Vec<Link> {
    let loopback =
        Attributes { address: None, mtu: LOOPBACK_MTU, queues: 1, offloads: Offloads::all(), largest: LOOPBACK_MTU };
    add(stack, loopback, Medium::Loopback);
    let found = (0..nics.count()).filter_map(|nic| Some((nic, nics.attributes(nic)?)));
    let link = |(nic, attributes): (usize, Attributes)| {
        let medium = attributes.address.map_or(Medium::Ip, Medium::Ethernet);
        let interface = add(stack, attributes, medium);
        Link { interface, nic, armed: vec![false; attributes.queues] }
    };
    found.map(link).collect()
}

fn add<P: Parts>(stack: &mut Stack<P>, attributes: Attributes, medium: Medium) -> u32 {
    let number = stack.ip.add_interface(now(), attributes, medium);
    // It is there: it was added just now.
    let _ = stack.ip.set_up(now(), number, true);
    number
}

fn of_option(text: &str) -> Prefix {
    prefix(text).unwrap_or_else(|| {
        panic!("the network's address `{text}` is none: say 10.0.2.15/24, or {DHCP} (IPv4), or {AUTO} (IPv6)")
    })
}

fn prefix(text: &str) -> Option<Prefix> {
    let (address, length) = text.split_once('/')?;
    Prefix::new(address.parse().ok()?, length.parse().ok()?)
}

const fn default_route(gateway: IpAddr, interface: u32) -> Route {
    Route {
        destination: Prefix::everything(gateway.is_ipv4()),
        gateway: Some(gateway),
        interface,
        metric: 0,
        source: None,
        origin: Origin::Static,
        expires: None,
    }
}
