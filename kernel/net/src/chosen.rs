//! The protocols of an image, by its options.

use core::marker::PhantomData;

use netstack::Parts;
use tcp::Congestion;

/// IPv4, IPv6, TCP and UDP, each there or not, and TCP's congestion control.
#[derive(Clone, Copy, Debug, Default)]
pub struct Chosen<const IPV4: bool, const IPV6: bool, const TCP: bool, const UDP: bool, C>(PhantomData<fn() -> C>);

impl<const IPV4: bool, const IPV6: bool, const TCP: bool, const UDP: bool, C: Congestion> Parts
    for Chosen<IPV4, IPV6, TCP, UDP, C>
{
    type Congestion = C;

    const IPV4: bool = IPV4;
    const IPV6: bool = IPV6;
    const TCP: bool = TCP;
    const UDP: bool = UDP;
    const AUTOCONFIGURATION: bool = IPV6;
    const DHCP: bool = false;
}
