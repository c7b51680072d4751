//! UDP-Lite: RFC 3828. The header's length says how many bytes the checksum covers, and a datagram is as long as what
//! IP brings.
//!
//! No device computes such sums: they are ours, at both ends.

use core::net::{IpAddr, SocketAddr};

use packets::{Instant, Packet, checksum::Sum, ipv4::protocol, udp};
use zerocopy::IntoBytes;

use super::{Sending, Udp, send::departure};
use crate::{
    delivery::{Arrived, Way},
    error::Error,
    icmp::Problem,
    ip::Ip,
    parts::Parts,
    slab::Handle,
    software::pull,
};

/// What a datagram says about its checksum.
struct Covered {
    /// Bytes that it covers.
    bytes: usize,
    /// Whether those are all.
    whole: bool,
}

impl Udp {
    /// Takes a datagram from its header on.
    pub fn input_lite<P: Parts>(&mut self, ip: &mut Ip<P>, arrived: &Arrived, packet: &mut Packet) {
        self.lite.received += 1;
        pull(packet, udp::HEADER);
        let (from, to) = arrived.ends();
        let Some((source, destination, covered)) = header(packet) else {
            self.lite.receive_errors += 1;
            return;
        };
        if !sum(from, to, packet, covered.bytes).is_right() {
            self.lite.bad_checksums += 1;
            self.lite.receive_errors += 1;
            return;
        }
        let (from, to) = (SocketAddr::new(from, source), SocketAddr::new(to, destination));
        let mut takers = self.takers((arrived.interface, arrived.cast), from, to, true);
        if takers.is_empty() {
            self.lite.no_ports += 1;
            return ip.problem(arrived, Problem::Port, packet);
        }
        takers.retain(|taker| covered.whole || self.takes_covered(*taker, covered.bytes));
        let Some((&last, others)) = takers.split_last() else {
            self.lite.receive_errors += 1;
            return;
        };
        self.hand_over(ip, arrived, (from, to), packet, (last, others));
    }

    /// Whether a socket wants datagrams of which so many bytes, and not all, are known to be right.
    fn takes_covered(&self, taker: Handle, bytes: usize) -> bool {
        let least = self.sockets.get(taker).and_then(|socket| socket.settings.least_coverage);
        least.is_none_or(|least| least != 0 && bytes >= least.into())
    }

    /// Sends a packet that is a payload on a way to a port.
    pub(super) fn send_lite<P: Parts>(
        &mut self,
        now: Instant,
        ip: &mut Ip<P>,
        handle: Handle,
        packet: &mut Packet,
        (way, port): (Way, u16),
        sending: &Sending,
    ) -> Result<usize, Error> {
        let socket = self.socket(handle)?;
        if sending.segment.is_some() {
            return Err(Error::Invalid);
        }
        let (ends, length) = ((way.from, way.to), packet.len());
        let source = socket.local.map_or(0, |(_, port)| port);
        let mut departure = departure(&socket.settings, sending, way, protocol::UDP_LITE, packet);
        put_header(ends, (source, port), &mut departure.packet, socket.settings.coverage);
        ip.depart(now, &mut departure)?;
        self.lite.sent += 1;
        Ok(length)
    }
}

/// The ports of a datagram, and what is covered of it, if it can be: RFC 3828, 3.1.
fn header(packet: &Packet) -> Option<(u16, u16, Covered)> {
    let header = udp::covering(packet.front(), packet.len())?;
    // It always has a checksum.
    if header.checksum.get() == 0 {
        return None;
    }
    let bytes = match usize::from(header.length.get()) {
        0 => packet.len(),
        bytes => bytes,
    };
    let covered = Covered { bytes, whole: bytes == packet.len() };
    Some((header.source.get(), header.destination.get(), covered))
}

/// Of the pseudo header, which has the length that IP brings, and of the first bytes of a packet.
fn sum(from: IpAddr, to: IpAddr, packet: &Packet, mut covered: usize) -> Sum {
    let mut sum = Sum::new().with_pseudo_header(from, to, protocol::UDP_LITE, packet.len());
    for stretch in packet.stretches() {
        let part = &stretch[..covered.min(stretch.len())];
        sum = sum.with(part);
        covered -= part.len();
    }
    sum
}

/// Puts a header before a payload, with a checksum that covers so many bytes, or all.
fn put_header((from, to): (IpAddr, IpAddr), ports: (u16, u16), packet: &mut Packet, coverage: u16) {
    let length = udp::HEADER + packet.len();
    let covered = if coverage == 0 { length } else { length.min(coverage.into()) };
    let mut header = udp::Header {
        source: ports.0.into(),
        destination: ports.1.into(),
        length: (covered as u16).into(),
        checksum: 0.into(),
    };
    // There is headroom for it.
    packet.head.prepend(header.as_bytes());
    header.checksum = udp::written(sum(from, to, packet, covered).finish()).into();
    packet.head.bytes_mut()[..udp::HEADER].copy_from_slice(header.as_bytes());
}
