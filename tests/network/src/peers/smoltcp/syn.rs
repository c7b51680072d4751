//! Who asks for a connection.

use std::net::{IpAddr, SocketAddr};

use packets::tcp::{self, Flags};
use packets::{ethernet, ipv4, ipv6};

/// The source of a frame that carries a SYN without ACK.
pub fn source(frame: &[u8]) -> Option<SocketAddr> {
    let (header, packet) = ethernet::parse(frame)?;
    let (address, segment): (IpAddr, _) = match header.kind.get() {
        ethernet::IPV4 => {
            let ip = ipv4::parse(packet, packet.len()).ok().filter(|ip| ip.protocol == ipv4::protocol::TCP)?;
            (ip.source().into(), &packet[ip.length()..])
        }
        ethernet::IPV6 => {
            let ip = ipv6::parse(packet, packet.len()).ok().filter(|ip| ip.next_header == ipv4::protocol::TCP)?;
            (ip.source().into(), &packet[ipv6::HEADER..])
        }
        _ => return None,
    };
    let (header, _) = tcp::parse(segment, segment.len()).ok()?;
    let asks = header.flags().contains(Flags::SYN) && !header.flags().contains(Flags::ACK);
    asks.then(|| SocketAddr::new(address, header.source.get()))
}
