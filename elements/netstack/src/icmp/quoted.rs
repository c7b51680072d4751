//! The packet that an error of ICMP is about, as far as it is quoted: RFC 5927, 4.1 wants it looked at.

use core::net::IpAddr;

use packets::{
    ipv4,
    ipv6::{self, extension},
};
use zerocopy::FromBytes;

/// What a quotation says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quoted<'a> {
    /// Whose packet it was: ours, if the message means us.
    pub from: IpAddr,
    /// Whom it was for.
    pub to: IpAddr,
    /// What it carried.
    pub protocol: u8,
    /// The bytes of that which are quoted, at least 8.
    pub transport: &'a [u8],
    /// The length of the packet, as its header said.
    pub length: usize,
}

/// Reads a quotation, or says with `None` that it cannot be of a packet whose transport header can be known.
#[must_use]
pub fn quoted(bytes: &[u8], v4: bool) -> Option<Quoted<'_>> {
    let quoted = if v4 { quoted_v4(bytes) } else { quoted_v6(bytes) };
    // RFC 792 promises 8 bytes: ports, and TCP's sequence number.
    quoted.filter(|quoted| quoted.transport.len() >= 8)
}

fn quoted_v4(bytes: &[u8]) -> Option<Quoted<'_>> {
    let (header, _) = ipv4::Header::ref_from_prefix(bytes).ok()?;
    // Its checksum is not looked at: routers on the way have changed the time to live, and some forget the sum.
    let right = header.version_and_length >> 4 == 4 && header.length() >= ipv4::HEADER && header.fragment_offset() == 0;
    let transport = bytes.get(header.length()..).filter(|_| right)?;
    Some(Quoted {
        from: header.source().into(),
        to: header.destination().into(),
        protocol: header.protocol,
        transport,
        length: header.total_length.get().into(),
    })
}

fn quoted_v6(bytes: &[u8]) -> Option<Quoted<'_>> {
    let (header, mut transport) = ipv6::Header::ref_from_prefix(bytes).ok()?;
    let mut protocol = header.next_header;
    let mut left = 8;
    while let extension::HOP_BY_HOP | extension::ROUTING | extension::DESTINATION | extension::FRAGMENT = protocol {
        left -= 1;
        let (&next, &length) = (transport.first()?, transport.get(1).filter(|_| left > 0)?);
        let fragment = protocol == extension::FRAGMENT;
        if fragment && ipv6::Fragment::ref_from_prefix(transport).ok()?.0.offset() != 0 {
            return None;
        }
        transport = transport.get(if fragment { 8 } else { 8 + usize::from(length) * 8 }..)?;
        protocol = next;
    }
    Some(Quoted {
        from: header.source().into(),
        to: header.destination().into(),
        protocol,
        transport,
        length: ipv6::HEADER + usize::from(header.payload_length.get()),
    })
    .filter(|_| header.version_class_flow.get() >> 28 == 6)
}
