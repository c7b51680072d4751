//! Which protocols an image has: constants, so that what is not named folds away when it is built.

/// The choice of protocols. Each constant is yes unless an implementation says no.
pub trait Parts {
    /// How TCP finds out how much the network bears.
    type Congestion: tcp::Congestion;
    /// IPv4 with ARP and ICMP.
    const IPV4: bool = true;
    /// IPv6 with neighbour discovery and ICMPv6.
    const IPV6: bool = true;
    /// TCP.
    const TCP: bool = true;
    /// UDP.
    const UDP: bool = true;
    /// Raw and ping sockets.
    const RAW: bool = true;
    /// Fragments, both ways.
    const FRAGMENTS: bool = true;
    /// Groups: IGMP and MLD. Without them packets for groups are neither joined nor reported.
    const MULTICAST: bool = true;
    /// Addresses from routers' advertisements (RFC 4862). Needs IPv6.
    const AUTOCONFIGURATION: bool = true;
    /// The clients of DHCP. They need UDP's formats, not its sockets.
    const DHCP: bool = true;
}

/// All of them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Everything;

impl Parts for Everything {
    type Congestion = tcp::Cubic;
}

/// IPv4 with UDP, and nothing else.
#[derive(Clone, Copy, Debug, Default)]
pub struct OnlyUdp;

impl Parts for OnlyUdp {
    type Congestion = tcp::Cubic;
    const IPV6: bool = false;
    const TCP: bool = false;
    const RAW: bool = false;
    const FRAGMENTS: bool = false;
    const MULTICAST: bool = false;
    const AUTOCONFIGURATION: bool = false;
    const DHCP: bool = false;
}
