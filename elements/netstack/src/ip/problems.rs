//! We tell others what is wrong with their packets: RFC 1122, 3.2.2; RFC 1812, 4.3; RFC 4443, 2.4.

use packets::{Bytes, Packet, Parts as Stretches, ipv4, ipv6};
use zerocopy::IntoBytes;

use super::{
    Ip,
    messages::{can_be_told, icmp_protocol},
};
use crate::{
    delivery::{Arrived, Cast, Departure, Header},
    icmp::{self, Problem},
    parts::Parts,
};

impl<P: Parts> Ip<P> {
    /// Tells the sender of a packet what is wrong with it. `payload` is what is behind its header. Never about a
    /// packet for several, never about an error, and not too often.
    pub fn problem(&mut self, arrived: &Arrived, problem: Problem, payload: &Packet) {
        let v4 = arrived.is_ipv4();
        let from = arrived.from();
        if arrived.for_several || arrived.cast != Cast::Ours || !can_be_told(from) || is_about_error(arrived, payload) {
            return;
        }
        // Spending one or two makes the limit useless as a side channel (CVE-2020-25705).
        let tokens = 1 + self.random.below(2) as u32;
        if !self.errors.take(self.now, tokens) {
            self.icmp_counts(v4).rate_limited += 1;
            return;
        }
        let interface = if crate::address::is_of_link(from) { arrived.interface } else { 0 };
        let Ok(way) = self.way(from, Some(arrived.to()), interface) else { return };
        let (kind, code, word) = problem.told(v4);
        let mut body = Stretches::new();
        body.push(quotation(arrived, payload));
        let message = icmp::message(kind, code, word, body, (!v4).then_some((way.from, way.to)));
        self.icmp_counts(v4).errors_sent += 1;
        self.icmp_counts(v4).sent += 1;
        let _ = self.send(self.now, Departure::new(way, icmp_protocol(v4), message));
    }
}

/// Whether the packet is an error of ICMP itself, or may be.
fn is_about_error(arrived: &Arrived, payload: &Packet) -> bool {
    let v4 = arrived.is_ipv4();
    let carries = match &arrived.header {
        Header::V4(header) => header.protocol,
        Header::V6(header) => header.next_header,
    };
    let mut kind = [0];
    carries == icmp_protocol(v4) && (payload.copy_to(&mut kind) == 0 || icmp::is_error(v4, kind[0]))
}

/// The beginning of a packet: with IPv4 so much that the error has 576 bytes (RFC 1812, 4.3.2.3), with IPv6 1280
/// (RFC 4443, 2.4 (c)). Options and extension headers are not quoted.
fn quotation(arrived: &Arrived, payload: &Packet) -> Bytes {
    let (header, longest) = match &arrived.header {
        Header::V4(header) => {
            let mut header = *header;
            header.version_and_length = 0x45;
            header.total_length = ((ipv4::HEADER + payload.len()) as u16).into();
            header.set_checksum();
            (header.as_bytes().to_vec(), ipv4::LEAST_REASSEMBLY - ipv4::HEADER)
        }
        Header::V6(header) => (header.as_bytes().to_vec(), ipv6::LEAST_MTU - ipv6::HEADER),
    };
    let room = longest - icmp::HEADER - header.len();
    let mut quoted = header;
    let begin = quoted.len();
    quoted.resize(begin + payload.len().min(room), 0);
    payload.copy_to(&mut quoted[begin..]);
    quoted.into()
}
