//! What goes along with messages: addresses and interfaces, hop limits and classes, and how a send is cut into
//! messages.

use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use contracts::{
    sockets,
    sockets_element::{Family, Received, Sending, Socket},
};
use linux_abi::{
    Errno, constants as c,
    structures::{TimeSpec, TimeValue},
};
use zerocopy::IntoBytes;

use super::{
    super::{
        control::{self, Message, Writer},
        socket::Answer,
    },
    address,
};

/// Options that have something told with each message, and what: the option's level and number, and the message's kind.
const TOLD: [(u32, u32, u32); 14] = [
    (c::SOL_IP, c::IP_PKTINFO, c::IP_PKTINFO),
    (c::SOL_IP, c::IP_RECVTTL, c::IP_TTL),
    (c::SOL_IP, c::IP_RECVTOS, c::IP_TOS),
    (c::SOL_IPV6, c::IPV6_RECVPKTINFO, c::IPV6_PKTINFO),
    (c::SOL_IPV6, c::IPV6_RECVHOPLIMIT, c::IPV6_HOPLIMIT),
    (c::SOL_IPV6, c::IPV6_RECVTCLASS, c::IPV6_TCLASS),
    (c::SOL_UDP, c::UDP_GRO, c::UDP_GRO),
    (c::SOL_SOCKET, c::SO_TIMESTAMP, c::SO_TIMESTAMP),
    (c::SOL_SOCKET, c::SO_TIMESTAMPNS, c::SO_TIMESTAMPNS),
    (c::SOL_SOCKET, c::SO_TIMESTAMP_NEW, c::SO_TIMESTAMP_NEW),
    (c::SOL_SOCKET, c::SO_TIMESTAMPNS_NEW, c::SO_TIMESTAMPNS_NEW),
    (c::SOL_IP, c::IP_RECVORIGDSTADDR, c::IP_RECVORIGDSTADDR),
    (c::SOL_IPV6, c::IPV6_RECVORIGDSTADDR, c::IPV6_RECVORIGDSTADDR),
    (c::SOL_TCP, c::TCP_INQ, c::TCP_INQ),
];

/// The bit of such an option.
pub fn bit(level: u32, option: u32) -> Option<u32> {
    TOLD.iter().position(|&(of, number, _)| (of, number) == (level, option)).map(|index| 1 << index)
}

/// What a sender says beside its bytes. A stream's goes unread, as on Linux.
pub fn read(messages: &[u8], how: &mut Sending) -> Answer<()> {
    control::each(messages, &mut |message| {
        let Message { level, kind, content } = message;
        match (level.cast_unsigned(), kind.cast_unsigned()) {
            (c::SOL_IP, c::IP_PKTINFO) => {
                let [interface, own, _] = words(content)?;
                how.interface = interface;
                let own = Ipv4Addr::from(own.to_ne_bytes());
                how.from = (!own.is_unspecified()).then_some(IpAddr::V4(own));
            }
            (c::SOL_IPV6, c::IPV6_PKTINFO) => {
                let [a, b, c, d, interface] = words(content)?;
                how.interface = interface;
                let own = Ipv6Addr::from(u128::from_be_bytes(bytes([a, b, c, d])));
                how.from = (!own.is_unspecified()).then_some(IpAddr::V6(own));
            }
            (c::SOL_IP, c::IP_TTL) | (c::SOL_IPV6, c::IPV6_HOPLIMIT) => {
                let limit = exactly(content, level)?;
                // -1 is as usual: RFC 3542, 6.3.
                how.hop_limit = match limit {
                    u32::MAX if level == c::SOL_IPV6 as i32 => None,
                    0 if level == c::SOL_IP as i32 => return Err(Errno::EINVAL),
                    limit => Some(u8::try_from(limit).map_err(|_| Errno::EINVAL)?),
                };
            }
            (c::SOL_IP, c::IP_TOS) | (c::SOL_IPV6, c::IPV6_TCLASS) => {
                let class = exactly(content, level)?;
                // -1 is as usual: RFC 3542, 6.5.
                if !(class == u32::MAX && level == c::SOL_IPV6 as i32) {
                    how.traffic_class = Some(u8::try_from(class).map_err(|_| Errno::EINVAL)?);
                }
            }
            (c::SOL_UDP, c::UDP_SEGMENT) => {
                let size = content.first_chunk().copied().map(u16::from_ne_bytes).ok_or(Errno::EINVAL)?;
                how.segment = (size > 0).then_some(size);
            }
            // What others say is for sockets of theirs.
            (c::SOL_SOCKET, _) => {}
            _ => return Err(Errno::EINVAL),
        }
        Ok(())
    })
}

/// A number: that of IPv4 may be a byte (ip(7)), and that of IPv6 must have no byte more.
fn exactly(content: &[u8], level: i32) -> Answer<u32> {
    match content {
        [byte] if level == c::SOL_IP as i32 => Ok((*byte).into()),
        _ if level == c::SOL_IPV6 as i32 && content.len() != size_of::<u32>() => Err(Errno::EINVAL),
        _ => words(content).map(|[number]| number),
    }
}

fn words<const N: usize>(content: &[u8]) -> Answer<[u32; N]> {
    let (words, _) = content.as_chunks::<4>();
    let words = words.first_chunk::<N>().ok_or(Errno::EINVAL)?;
    Ok(words.map(u32::from_ne_bytes))
}

fn bytes(words: [u32; 4]) -> [u8; 16] {
    let mut bytes = [0; 16];
    for (place, word) in bytes.as_chunks_mut::<4>().0.iter_mut().zip(words) {
        *place = word.to_ne_bytes();
    }
    bytes
}

/// Tells what came with a message, as far as the program has asked for it.
pub fn write(out: &mut Writer, told: u32, received: &Received, number: Socket) {
    for (index, &(level, _, kind)) in TOLD.iter().enumerate() {
        if told & 1 << index == 0 {
            continue;
        }
        let mut add = |content: &[u8]| out.add_at(level, kind, content);
        match (level, kind, received.to) {
            (c::SOL_SOCKET, ..) => time(out, kind, received.at),
            (c::SOL_TCP, ..) => add(&(sockets::available(number) as u32).to_ne_bytes()),
            (_, c::IP_RECVORIGDSTADDR, Some(to)) if level == c::SOL_IP && to.is_ipv4() => {
                destination(out, (level, kind), number, to)
            }
            (_, c::IPV6_RECVORIGDSTADDR, Some(to)) if level == c::SOL_IPV6 => {
                destination(out, (level, kind), number, to)
            }
            (c::SOL_IP, c::IP_PKTINFO, Some(IpAddr::V4(to))) => {
                // The address that it was for is also the one to answer from, unless it is a group's.
                let own = if to.is_multicast() || to.is_broadcast() { Ipv4Addr::UNSPECIFIED } else { to };
                let [a, b, c] = [received.interface.to_ne_bytes(), own.octets(), to.octets()];
                add(&[a, b, c].concat());
            }
            (c::SOL_IPV6, c::IPV6_PKTINFO, Some(to)) => {
                let to = match to {
                    IpAddr::V4(to) => to.to_ipv6_mapped(),
                    IpAddr::V6(to) => to,
                };
                let mut content = [0; 20];
                content[..16].copy_from_slice(&to.octets());
                content[16..].copy_from_slice(&received.interface.to_ne_bytes());
                add(&content);
            }
            (_, c::IP_TTL, Some(IpAddr::V4(_))) | (c::SOL_IPV6, c::IPV6_HOPLIMIT, Some(IpAddr::V6(_))) => {
                add(&u32::from(received.hop_limit).to_ne_bytes());
            }
            (c::SOL_IP, c::IP_TOS, Some(IpAddr::V4(_))) => add(&[received.traffic_class]),
            (c::SOL_IPV6, c::IPV6_TCLASS, Some(IpAddr::V6(_))) => add(&u32::from(received.traffic_class).to_ne_bytes()),
            (c::SOL_UDP, ..) => {
                if let Some(size) = received.segment {
                    add(&u32::from(size).to_ne_bytes());
                }
            }
            _ => {}
        }
    }
}

/// When a message came, by the clock on the wall. Who notes none tells none.
fn time(out: &mut Writer, kind: u32, at: u64) {
    if at == 0 {
        return;
    }
    let since = contracts::clock::monotonic().saturating_sub(at);
    let wall = contracts::clock::wall().saturating_sub(since);
    if matches!(kind, c::SO_TIMESTAMP | c::SO_TIMESTAMP_NEW) {
        out.add_at(c::SOL_SOCKET, kind, TimeValue::from_nanoseconds(wall).as_bytes());
    } else {
        out.add_at(c::SOL_SOCKET, kind, TimeSpec::from_nanoseconds(wall).as_bytes());
    }
}

/// The address that a message was for, with the port.
fn destination(out: &mut Writer, (level, kind): (u32, u32), number: Socket, to: IpAddr) {
    let port = sockets::local(number).map_or(0, |own| own.port());
    let family = if level == c::SOL_IP { Family::V4 } else { Family::V6 };
    out.add_at(level, kind, address::told((to, port).into(), family).bytes());
}
