//! The protocols of an image, by its options.

use core::marker::PhantomData;

use netstack::Parts;
use tcp::Congestion;

/// The word for an address of IPv4 that a server of DHCP gives.
pub const DHCP: &str = "dhcp";
/// The word for addresses of IPv6 that follow from what routers say, and servers that DHCPv6 tells.
pub const AUTO: &str = "auto";

/// IPv4, IPv6, TCP and UDP, each there or not, TCP's congestion control, and raw sockets with those for echoes. Others
/// are asked for addresses of either family ([`DHCP`], [`AUTO`]), or not.
#[derive(Clone, Copy, Debug, Default)]
pub struct Chosen<
    const IPV4: bool,
    const IPV6: bool,
    const TCP: bool,
    const UDP: bool,
    const ASKS_V4: bool,
    const ASKS_V6: bool,
    C,
    const RAW: bool = true,
>(PhantomData<fn() -> C>);

impl<
    const IPV4: bool,
    const IPV6: bool,
    const TCP: bool,
    const UDP: bool,
    const ASKS_V4: bool,
    const ASKS_V6: bool,
    C: Congestion,
    const RAW: bool,
> Parts for Chosen<IPV4, IPV6, TCP, UDP, ASKS_V4, ASKS_V6, C, RAW>
{
    type Congestion = C;

    const IPV4: bool = IPV4;
    const IPV6: bool = IPV6;
    const TCP: bool = TCP;
    const UDP: bool = UDP;
    const RAW: bool = RAW;
    const AUTOCONFIGURATION: bool = IPV6 && ASKS_V6;
    const DHCP: bool = IPV4 && ASKS_V4 || IPV6 && ASKS_V6;
}

/// Whether a word is among those of a text: a constant for the image, so that nobody asks who is not told to.
#[must_use]
pub const fn is_among(word: &str, text: &str) -> bool {
    let (word, text) = (word.as_bytes(), text.as_bytes());
    let mut at = 0;
    while at + word.len() <= text.len() {
        if is_at(word, text, at) && is_edge(text, at.wrapping_sub(1)) && is_edge(text, at + word.len()) {
            return true;
        }
        at += 1;
    }
    false
}

const fn is_at(word: &[u8], text: &[u8], at: usize) -> bool {
    let mut index = 0;
    while index < word.len() {
        if word[index] != text[at + index] {
            return false;
        }
        index += 1;
    }
    true
}

/// Whether no word goes on there.
const fn is_edge(text: &[u8], at: usize) -> bool {
    at >= text.len() || text[at].is_ascii_whitespace()
}

const _: () = assert!(is_among(DHCP, "dhcp") && is_among(AUTO, "10.0.2.15/24 auto") && is_among(DHCP, "auto dhcp "));
const _: () = assert!(!is_among(DHCP, "") && !is_among(DHCP, "dhcp4 adhcp dh") && !is_among(AUTO, "auto6"));
