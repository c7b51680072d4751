//! Messages of ICMP (RFC 792) and ICMPv6 (RFC 4443): their formats, and what they mean.

mod quoted;

pub use quoted::{Quoted, quoted};

use core::net::IpAddr;

use packets::{Bytes, Packet, Parts, checksum::Sum, ipv4::protocol};

use crate::error::Failure;

/// Bytes of the header of each message.
pub const HEADER: usize = 8;

/// Kinds of messages: RFC 792.
#[expect(missing_docs, reason = "the names are the document's")]
pub mod v4 {
    pub const ECHO_REPLY: u8 = 0;
    pub const UNREACHABLE: u8 = 3;
    pub const REDIRECT: u8 = 5;
    pub const ECHO: u8 = 8;
    pub const TIME_EXCEEDED: u8 = 11;
    pub const PARAMETER: u8 = 12;
}

/// Kinds of messages: RFC 4443, RFC 4861, RFC 2710, RFC 3810.
#[expect(missing_docs, reason = "the names are the documents'")]
pub mod v6 {
    pub const UNREACHABLE: u8 = 1;
    pub const TOO_BIG: u8 = 2;
    pub const TIME_EXCEEDED: u8 = 3;
    pub const PARAMETER: u8 = 4;
    pub const ECHO: u8 = 128;
    pub const ECHO_REPLY: u8 = 129;
    pub const LISTENER_QUERY: u8 = 130;
    pub const LISTENER_REPORT_V1: u8 = 131;
    pub const LISTENER_DONE: u8 = 132;
    pub const ROUTER_SOLICITATION: u8 = 133;
    pub const ROUTER_ADVERTISEMENT: u8 = 134;
    pub const NEIGHBOUR_SOLICITATION: u8 = 135;
    pub const NEIGHBOUR_ADVERTISEMENT: u8 = 136;
    pub const REDIRECT: u8 = 137;
    pub const LISTENER_REPORT_V2: u8 = 143;
}

/// What we tell others about their packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Problem {
    /// Nobody is at the port.
    Port,
    /// We do not speak this protocol. For IPv6: the place of its number in the packet.
    Protocol(u32),
    /// Fragments did not come in time.
    Reassembly,
    /// A field cannot be: the code (RFC 4443, 3.4; RFC 7112), and its place in the packet.
    Parameter(u8, u32),
}

impl Problem {
    /// Kind, code and the word behind the checksum.
    #[must_use]
    pub const fn told(self, ipv4: bool) -> (u8, u8, u32) {
        match (self, ipv4) {
            (Self::Port, true) => (v4::UNREACHABLE, 3, 0),
            (Self::Port, false) => (v6::UNREACHABLE, 4, 0),
            (Self::Protocol(_), true) => (v4::UNREACHABLE, 2, 0),
            (Self::Protocol(at), false) => (v6::PARAMETER, 1, at),
            (Self::Reassembly, true) => (v4::TIME_EXCEEDED, 1, 0),
            (Self::Reassembly, false) => (v6::TIME_EXCEEDED, 1, 0),
            (Self::Parameter(_, at), true) => (v4::PARAMETER, 0, at << 24),
            (Self::Parameter(code, at), false) => (v6::PARAMETER, code, at),
        }
    }
}

/// What an error of ICMP says: RFC 1122, 3.2.2.1 and RFC 4443, 3. `word` is what is behind the checksum, `length` the
/// length of the packet that it is about.
#[must_use]
pub fn failure(ipv4: bool, kind: u8, code: u8, word: u32, length: usize) -> Option<Failure> {
    if ipv4 { failure_v4(kind, code, word as u16, length) } else { failure_v6(kind, code, word) }
}

fn failure_v4(kind: u8, code: u8, mtu: u16, length: usize) -> Option<Failure> {
    Some(match (kind, code) {
        (v4::UNREACHABLE, 0 | 5 | 6 | 11) => Failure::Network,
        (v4::UNREACHABLE, 1 | 7 | 8 | 12) => Failure::Host,
        (v4::UNREACHABLE, 2) => Failure::Protocol,
        (v4::UNREACHABLE, 3) => Failure::Port,
        (v4::UNREACHABLE, 4) => Failure::TooBig(if mtu == 0 { plateau(length) } else { mtu }),
        (v4::UNREACHABLE, 9 | 10 | 13..=15) => Failure::Forbidden,
        (v4::TIME_EXCEEDED, _) => Failure::TimeExceeded,
        (v4::PARAMETER, _) => Failure::Parameter,
        _ => return None,
    })
}

fn failure_v6(kind: u8, code: u8, word: u32) -> Option<Failure> {
    Some(match (kind, code) {
        (v6::UNREACHABLE, 0) => Failure::Network,
        (v6::UNREACHABLE, 1 | 5 | 6) => Failure::Forbidden,
        (v6::UNREACHABLE, 2 | 3) => Failure::Host,
        (v6::UNREACHABLE, 4) => Failure::Port,
        (v6::TOO_BIG, _) => Failure::TooBig(u16::try_from(word).unwrap_or(u16::MAX)),
        (v6::TIME_EXCEEDED, _) => Failure::TimeExceeded,
        // Unknown next header: RFC 4443, 3.4.
        (v6::PARAMETER, 1) => Failure::Protocol,
        (v6::PARAMETER, _) => Failure::Parameter,
        _ => return None,
    })
}

/// A router of before 1990 does not say what it carries: the next lower of the usual sizes (RFC 1191, 7).
fn plateau(length: usize) -> u16 {
    [32_000, 17_914, 8166, 4352, 2002, 1492, 1006].into_iter().find(|&size| usize::from(size) < length).unwrap_or(576)
}

/// Whether a message is an error: none is sent about one (RFC 1122, 3.2.2; RFC 4443, 2.4 (e)). Those that nobody knows
/// count as errors, and redirects too.
#[must_use]
pub const fn is_error(ipv4: bool, kind: u8) -> bool {
    if ipv4 { !matches!(kind, 0 | 8..=10 | 13..=18) } else { kind < 128 || kind == v6::REDIRECT }
}

/// A message, with its checksum: over a pseudo header in IPv6 (RFC 4443, 2.3), whose addresses `ends` are.
#[must_use]
pub fn message(kind: u8, code: u8, word: u32, body: Parts, ends: Option<(IpAddr, IpAddr)>) -> Packet {
    let mut header = [kind, code, 0, 0, 0, 0, 0, 0];
    header[4..].copy_from_slice(&word.to_be_bytes());
    let length = HEADER + body.iter().map(Bytes::len).sum::<usize>();
    let sum = body.iter().fold(pseudo_header(ends, length).with(&header), |sum, part| sum.with(part));
    header[2..4].copy_from_slice(&sum.finish().to_be_bytes());
    let mut packet = Packet { parts: body, ..Packet::default() };
    packet.head.push(&header);
    packet
}

/// Whether the checksum of a whole message is right.
#[must_use]
pub fn is_sound(message: &Packet, ends: Option<(IpAddr, IpAddr)>) -> bool {
    message.stretches().fold(pseudo_header(ends, message.len()), Sum::with).is_right()
}

fn pseudo_header(ends: Option<(IpAddr, IpAddr)>, length: usize) -> Sum {
    match ends {
        Some((from, to)) => Sum::new().with_pseudo_header(from, to, protocol::ICMPV6, length),
        None => Sum::new(),
    }
}
