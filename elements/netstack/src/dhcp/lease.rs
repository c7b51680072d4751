//! What a server of DHCP gives.

use alloc::vec::Vec;
use core::{net::Ipv4Addr, time::Duration};

use packets::Instant;
use smoltcp::wire::{DhcpPacket, DhcpRepr};

use crate::address::Prefix;

/// A shorter lease would keep us asking without end.
const LEAST_LEASE: Duration = Duration::from_secs(30);

/// What a server has given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lease {
    /// The address and its network.
    pub prefix: Prefix,
    /// Our address, as the protocol knows it.
    pub address: Ipv4Addr,
    /// The server.
    pub server: Ipv4Addr,
    /// The router to all other networks.
    pub router: Option<Ipv4Addr>,
    /// Servers of names, four at most.
    pub servers: Vec<Ipv4Addr>,
    /// The domain of this network, as it was told.
    pub domain: Vec<u8>,
    /// The MTU of the link.
    pub mtu: Option<u16>,
    /// When it was asked for.
    pub since: Instant,
    /// How long it lasts; `None`: for ever.
    pub duration: Option<Duration>,
    pub(super) renew: Duration,
    pub(super) rebind: Duration,
}

/// What an offer or an acknowledgement gives, if it can be.
pub(super) fn lease(
    packet: &DhcpPacket<&[u8]>,
    told: &DhcpRepr<'_>,
    server: Ipv4Addr,
    since: Instant,
) -> Option<Lease> {
    let address = told.your_ip;
    let usable =
        !address.is_unspecified() && !address.is_multicast() && !address.is_broadcast() && !address.is_loopback();
    // RFC 950: ones and then zeros. A server that says nothing means the address alone.
    let mask = told.subnet_mask.map_or(u32::MAX, Ipv4Addr::to_bits);
    let length = mask.leading_ones();
    if !usable || mask.count_ones() != length || server.is_unspecified() {
        return None;
    }
    let option = |kind: u8| packet.options().find(|option| option.kind == kind).map(|option| option.data);
    let router = option(3).and_then(|data| data.first_chunk::<4>()).map(|octets| Ipv4Addr::from(*octets));
    let mtu = option(26).and_then(|data| data.first_chunk::<2>()).map(|bytes| u16::from_be_bytes(*bytes));
    let seconds = told.lease_duration.unwrap_or(3600);
    let duration = Duration::from_secs(seconds.into()).max(LEAST_LEASE);
    // RFC 2131, 4.4.5: half of it, and seven eighths. A server's own times must be in order.
    let rebind = told.rebind_duration.map(|seconds| Duration::from_secs(seconds.into()));
    let rebind = rebind.filter(|rebind| *rebind < duration).unwrap_or(duration * 7 / 8);
    let renew = told.renew_duration.map(|seconds| Duration::from_secs(seconds.into()));
    let renew = renew.filter(|renew| *renew < rebind).unwrap_or(duration / 2).min(rebind);
    Some(Lease {
        prefix: Prefix::new(address.into(), length as u8)?,
        address,
        server,
        router,
        servers: told.dns_servers.iter().flatten().copied().collect(),
        domain: option(15).unwrap_or(&[]).to_vec(),
        mtu: mtu.filter(|mtu| *mtu >= 576),
        since,
        duration: (seconds != u32::MAX).then_some(duration),
        renew,
        rebind,
    })
}
