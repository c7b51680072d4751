//! What `/proc/net`, `/proc/sys/net` and `/sys/class/net` tell of a network: proc(5), sysfs(5). Where there is none,
//! none of this is in the image.

mod classes;
mod counts;
mod interfaces;
mod listed;
mod settings;
mod tables;

use fs::proc::{Place, UNIX_SOCKETS};
use vfs::pseudo::{Entry, Item, Listing};

/// What is in a directory.
pub fn listing(place: Place) -> Option<&'static Listing> {
    if !contracts::sockets::exist() {
        return None;
    }
    Some(match place {
        Place::Network => &NETWORK,
        Place::NetworkSettings => &settings::ALL,
        Place::Classes => &classes::ALL,
    })
}

/// `/proc/net`.
static NETWORK: Listing = Listing::new(&[
    Entry::new("arp", Item::Text(tables::neighbours, 0)),
    Entry::new("dev", Item::Text(interfaces::traffic, 0)),
    Entry::new("icmp", Item::Text(listed::sockets, listed::ICMP)),
    Entry::new("icmp6", Item::Text(listed::sockets, listed::ICMP6)),
    Entry::new("if_inet6", Item::Text(interfaces::addresses, 0)),
    Entry::new("ipv6_route", Item::Text(tables::routes_v6, 0)),
    Entry::new("netlink", Item::Fixed(NETLINK)),
    Entry::new("netstat", Item::Text(counts::extended, 0)),
    Entry::new("packet", Item::Fixed("sk               RefCnt Type Proto  Iface R Rmem   User   Inode\n")),
    Entry::new("protocols", Item::Text(counts::protocols, 0)),
    Entry::new("raw", Item::Text(listed::sockets, listed::RAW)),
    Entry::new("raw6", Item::Text(listed::sockets, listed::RAW6)),
    Entry::new("route", Item::Text(tables::routes, 0)),
    Entry::new("snmp", Item::Text(counts::all, 0)),
    Entry::new("snmp6", Item::Text(counts::of_version_6, 0)),
    Entry::new("sockstat", Item::Text(counts::sockets, 0)),
    Entry::new("tcp", Item::Text(listed::sockets, listed::TCP)),
    Entry::new("tcp6", Item::Text(listed::sockets, listed::TCP6)),
    Entry::new("udp", Item::Text(listed::sockets, listed::UDP)),
    Entry::new("udp6", Item::Text(listed::sockets, listed::UDP6)),
    Entry::new("udplite", Item::Text(listed::sockets, listed::UDPLITE)),
    Entry::new("udplite6", Item::Text(listed::sockets, listed::UDPLITE6)),
    Entry::new("unix", UNIX_SOCKETS),
]);

/// Sockets to the kernel are not listed: nobody but their owner has to do with them.
const NETLINK: &str = "sk               Eth Pid        Groups   Rmem     Wmem     Dump  Locks    Drops    Inode\n";
