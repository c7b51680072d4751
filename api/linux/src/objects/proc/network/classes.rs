//! `/sys/class/net`: a directory for each interface, by its name.

use alloc::vec::Vec;

use contracts::{
    sockets,
    sockets_element::{Interface, Medium, Traffic},
};
use vfs::pseudo::{Entry, Item, Listing, Names, Numbered, Trail};

use crate::objects::{sockets::links, text::fill};

/// `/sys/class`.
pub static ALL: Listing = Listing::new(&[Entry::new("net", Item::Directory(&INTERFACES))]);

static INTERFACES: Listing = Listing {
    entries: &[],
    numbered: Some(Numbered {
        find: |_, number| links::numbered(number).map(|_| Item::Directory(&INTERFACE)),
        next: |_, from| sockets::interfaces().iter().map(|interface| interface.number).find(|&number| number >= from),
        names: Some(Names {
            name: |number| links::numbered(number).map_or_else(Vec::new, |interface| interface.name().to_vec()),
            number: |name| links::named(name).map(|interface| interface.number),
        }),
    }),
};

/// What is told of an interface, by its place here.
const FACTS: [fn(&Interface, &mut Vec<u8>); 11] = [
    |interface, out| {
        let [a, b, c, d, e, f] = links::hardware(interface).map(u64::from);
        fill(out, "%:%:%:%:%:%", &[a, b, c, d, e, f]);
    },
    |interface, out| fill(out, "#", &[if interface.medium == Medium::PointToPoint { 0 } else { 6 }]),
    |interface, out| {
        let all = if matches!(interface.medium, Medium::Ethernet(_)) { 0xff } else { 0 };
        fill(out, "%:%:%:%:%:%", &[all; 6]);
    },
    |interface, out| fill(out, "#", &[interface.up.into()]),
    |interface, out| fill(out, "0x^", &[u64::from(links::flags(interface) & 0xffff)]),
    |interface, out| fill(out, "#", &[interface.number.into()]),
    |interface, out| fill(out, "#", &[interface.mtu.into()]),
    |interface, out| {
        out.extend_from_slice(match interface.medium {
            Medium::Loopback => b"unknown",
            _ if interface.up => b"up",
            _ => b"down",
        });
    },
    |_, out| fill(out, "#", &[1000]),
    |interface, out| fill(out, "#", &[links::kind(interface).into()]),
    |_, out| fill(out, "0", &[]),
];

fn fact(trail: Trail, which: u32, out: &mut Vec<u8>) {
    if let (Some(interface), Some(tell)) = (trail.last().and_then(links::numbered), FACTS.get(which as usize)) {
        tell(&interface, out);
        out.push(b'\n');
    }
}

static INTERFACE: Listing = Listing::new(&[
    Entry::new("addr_len", Item::Of(fact, 1)),
    Entry::new("address", Item::Of(fact, 0)),
    Entry::new("broadcast", Item::Of(fact, 2)),
    Entry::new("carrier", Item::Of(fact, 3)),
    Entry::new("dormant", Item::Of(fact, 10)),
    Entry::new("flags", Item::Of(fact, 4)),
    Entry::new("ifindex", Item::Of(fact, 5)),
    Entry::new("iflink", Item::Of(fact, 5)),
    Entry::new("link_mode", Item::Of(fact, 10)),
    Entry::new("mtu", Item::Of(fact, 6)),
    Entry::new("operstate", Item::Of(fact, 7)),
    Entry::new("statistics", Item::Directory(&STATISTICS)),
    Entry::new("tx_queue_len", Item::Of(fact, 8)),
    Entry::new("type", Item::Of(fact, 9)),
]);

/// Counts of an interface, by their place here; what nobody counts is 0.
const COUNTS: [fn(&Traffic) -> u64; 9] = [
    |traffic| traffic.received_multicast,
    |traffic| traffic.received_bytes,
    |traffic| traffic.receive_dropped,
    |traffic| traffic.receive_errors,
    |traffic| traffic.received_packets,
    |traffic| traffic.sent_bytes,
    |traffic| traffic.send_dropped,
    |_| 0,
    |traffic| traffic.sent_packets,
];

fn count(trail: Trail, which: u32, out: &mut Vec<u8>) {
    if let (Some(interface), Some(count)) = (trail.last().and_then(links::numbered), COUNTS.get(which as usize)) {
        fill(out, "#\n", &[count(&interface.traffic)]);
    }
}

static STATISTICS: Listing = Listing::new(&[
    Entry::new("collisions", Item::Of(count, 7)),
    Entry::new("multicast", Item::Of(count, 0)),
    Entry::new("rx_bytes", Item::Of(count, 1)),
    Entry::new("rx_dropped", Item::Of(count, 2)),
    Entry::new("rx_errors", Item::Of(count, 3)),
    Entry::new("rx_packets", Item::Of(count, 4)),
    Entry::new("tx_bytes", Item::Of(count, 5)),
    Entry::new("tx_dropped", Item::Of(count, 6)),
    Entry::new("tx_errors", Item::Of(count, 7)),
    Entry::new("tx_packets", Item::Of(count, 8)),
]);
