//! The protocols of an image, by its options.

use core::marker::PhantomData;

use netstack::Parts;
use tcp::Congestion;

/// IPv4, IPv6, TCP and UDP, each there or not, TCP's congestion control, and raw sockets with those for echoes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Chosen<const IPV4: bool, const IPV6: bool, const TCP: bool, const UDP: bool, C, const RAW: bool = true>(
    PhantomData<fn() -> C>,
);

impl<const IPV4: bool, const IPV6: bool, const TCP: bool, const UDP: bool, C: Congestion, const RAW: bool> Parts
    for Chosen<IPV4, IPV6, TCP, UDP, C, RAW>
{
    type Congestion = C;

    const IPV4: bool = IPV4;
    const IPV6: bool = IPV6;
    const TCP: bool = TCP;
    const UDP: bool = UDP;
    const RAW: bool = RAW;
    const AUTOCONFIGURATION: bool = IPV6;
    const DHCP: bool = false;
}
