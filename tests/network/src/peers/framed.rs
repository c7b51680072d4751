//! Ethernet for those who know IP alone: a header that says always the same.

use packets::ethernet::{Address, HEADER, Header, IPV4, IPV6};
use zerocopy::IntoBytes;

use crate::host::Place;

/// A packet with a header before it.
#[must_use]
pub fn framed(place: Place, packet: &[u8]) -> Vec<u8> {
    let kind = if packet.first().is_some_and(|byte| byte >> 4 == 4) { IPV4 } else { IPV6 };
    let other = Place { side: 1 - place.side, mtu: place.mtu };
    let header =
        Header { destination: Address(other.hardware()), source: Address(place.hardware()), kind: kind.into() };
    [header.as_bytes(), packet].concat()
}

/// A frame without its header.
#[must_use]
pub fn unframed(mut frame: Vec<u8>) -> Vec<u8> {
    frame.drain(..HEADER.min(frame.len()));
    frame
}
