//! What ICMP says about segments: RFC 792, RFC 1191, RFC 4443.

use std::net::IpAddr;

use packets::{Instant, ipv4, ipv6};
use tcp::{Told, Unreachable};

use super::Machine;
use super::ip::header_length;

/// Messages have eight bytes before what they quote.
const HEADER: usize = 8;

/// Takes a message, and tells TCP what it says. Checksums are not looked at: only the simulator's own router and
/// packetdrill send any.
pub fn receive(machine: &mut Machine, now: Instant, header: &super::Header, message: &[u8]) {
    let (Some(&[kind, code, _, _, a, b, c, d]), Some(quoted)) = (message.first_chunk(), message.get(HEADER..)) else {
        return;
    };
    let mtu = if header.from.is_ipv4() { u16::from_be_bytes([c, d]).into() } else { u32::from_be_bytes([a, b, c, d]) };
    let Some((from, to, segment)) = quoted_segment(quoted) else { return };
    let Some(told) = meaning(header.from.is_ipv4(), kind, code, mtu as usize, to) else { return };
    if let Told::TooBig(payload) = told {
        machine.ip.set_path(to, usize::from(payload) + header_length(to));
    }
    machine.tcp.told(now, &mut machine.ip, from, to, segment, told);
}

/// The addresses and the first bytes of a segment, of which a message may quote too little for a whole packet.
fn quoted_segment(quoted: &[u8]) -> Option<(IpAddr, IpAddr, &[u8])> {
    let (from, to, protocol, length): (IpAddr, IpAddr, _, _) = match quoted.first()? >> 4 {
        4 => {
            let header: &[u8; ipv4::HEADER] = quoted.first_chunk()?;
            let from = <[u8; 4]>::try_from(&header[12..16]).ok()?;
            let to = <[u8; 4]>::try_from(&header[16..20]).ok()?;
            (from.into(), to.into(), header[9], usize::from(header[0] & 0xf) * 4)
        }
        _ => {
            let header: &[u8; ipv6::HEADER] = quoted.first_chunk()?;
            let from = <[u8; 16]>::try_from(&header[8..24]).ok()?;
            let to = <[u8; 16]>::try_from(&header[24..40]).ok()?;
            (from.into(), to.into(), header[6], ipv6::HEADER)
        }
    };
    let segment = quoted.get(length..)?;
    (protocol == ipv4::protocol::TCP).then_some((from, to, segment))
}

fn meaning(is_v4: bool, kind: u8, code: u8, mtu: usize, to: IpAddr) -> Option<Told> {
    let payload = mtu.saturating_sub(header_length(to)) as u16;
    Some(match (is_v4, kind, code) {
        (true, 3, 4) | (false, 2, _) => Told::TooBig(payload),
        (true, 3, 0 | 6 | 11) | (false, 1, 0) => Told::Unreachable(Unreachable::Network),
        (true, 3, 1 | 7 | 8 | 12) | (false, 1, 2 | 3) => Told::Unreachable(Unreachable::Host),
        (true, 3, 2) => Told::Unreachable(Unreachable::Protocol),
        (true, 3, 3) | (false, 1, 4) => Told::Unreachable(Unreachable::Port),
        (true, 3, 9 | 10 | 13) | (false, 1, 1 | 5 | 6) => Told::Unreachable(Unreachable::Forbidden),
        _ => return None,
    })
}
