//! Echo requests of ICMP (RFC 792) and ICMPv6 (RFC 4443) by Linux' raw sockets.

use std::net::{IpAddr, SocketAddr};

use rustix::net::{
    AddressFamily, RecvFlags, SendFlags, SocketType, ipproto, recv, sendto, socket,
    sockopt::{Timeout, set_socket_timeout},
};

use forwarder::pattern;

/// The checksum of the Internet (RFC 1071). That of ICMPv6 is Linux' own to fill in (RFC 3542, 3.1).
fn checksum(bytes: &[u8]) -> u16 {
    let word = |word: &[u8]| u32::from(word[0]) << 8 | word.get(1).map_or(0, |&low| low.into());
    let sum: u32 = bytes.chunks(2).map(word).sum();
    let sum = (sum & 0xffff) + (sum >> 16);
    !((sum & 0xffff) + (sum >> 16)) as u16
}

/// Asks `address` with so many bytes behind the header, until it answers with the same: five times at most.
pub fn ping(address: IpAddr, length: usize) {
    let (family, protocol, request, answer, header) = match address {
        IpAddr::V4(_) => (AddressFamily::INET, ipproto::ICMP, 8, 0, 20),
        IpAddr::V6(_) => (AddressFamily::INET6, ipproto::ICMPV6, 128, 129, 0),
    };
    let socket = socket(family, SocketType::RAW, Some(protocol)).expect("a raw socket");
    set_socket_timeout(&socket, Timeout::Recv, Some(std::time::Duration::from_secs(5))).unwrap();
    let mut payload = vec![0; length];
    pattern::fill(&mut payload, 1);
    let mut buffer = vec![0; length + 1000];
    let came = (0..5u8).any(|number| {
        let mut message = [&[request, 0, 0, 0, 0x77, 0x17, 0, number][..], &payload].concat();
        if address.is_ipv4() {
            let sum = checksum(&message);
            message[2..4].copy_from_slice(&sum.to_be_bytes());
        }
        sendto(&socket, &message, SendFlags::empty(), &SocketAddr::new(address, 0))
            .expect("Linux sends an echo request");
        loop {
            // A raw socket gets all of its protocol, and of IPv4 with the header.
            let Ok((_, count)) = recv(&socket, &mut buffer[..], RecvFlags::empty()) else { break false };
            let got = &buffer[header.min(count)..count];
            if got.first() == Some(&answer) && got.get(4..) == Some(&message[4..]) {
                break true;
            }
        }
    });
    assert!(came, "{address} does not answer an echo request of {length} bytes");
}
