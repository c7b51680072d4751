//! What goes along with messages: addresses and interfaces, hop limits and classes, and how a send is cut into messages.

use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use contracts::sockets_element::{Received, Sending};
use linux_abi::{Errno, constants as c};

use super::super::{
    control::{self, Message, Writer},
    socket::Answer,
};

/// Options that have something told with each message, and what: the option's level and number, and the message's kind.
const TOLD: [(u32, u32, u32); 7] = [
    (c::SOL_IP, c::IP_PKTINFO, c::IP_PKTINFO),
    (c::SOL_IP, c::IP_RECVTTL, c::IP_TTL),
    (c::SOL_IP, c::IP_RECVTOS, c::IP_TOS),
    (c::SOL_IPV6, c::IPV6_RECVPKTINFO, c::IPV6_PKTINFO),
    (c::SOL_IPV6, c::IPV6_RECVHOPLIMIT, c::IPV6_HOPLIMIT),
    (c::SOL_IPV6, c::IPV6_RECVTCLASS, c::IPV6_TCLASS),
    (c::SOL_UDP, c::UDP_GRO, c::UDP_GRO),
];

/// The bit of such an option.
pub fn bit(level: u32, option: u32) -> Option<u32> {
    TOLD.iter().position(|&(of, number, _)| (of, number) == (level, option)).map(|index| 1 << index)
}

/// What a sender says beside its bytes.
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
                let [limit] = words(content)?;
                how.hop_limit = Some(u8::try_from(limit).map_err(|_| Errno::EINVAL)?);
            }
            (c::SOL_IP, c::IP_TOS) | (c::SOL_IPV6, c::IPV6_TCLASS) => {
                // One byte will do: ip(7).
                let class =
                    words(content).map_or_else(|_| content.first().copied().map(u32::from), |[class]| Some(class));
                how.traffic_class = Some(class.and_then(|class| u8::try_from(class).ok()).ok_or(Errno::EINVAL)?);
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
pub fn write(out: &mut Writer, told: u32, received: &Received) {
    for (index, &(level, _, kind)) in TOLD.iter().enumerate() {
        if told & 1 << index == 0 {
            continue;
        }
        let mut add = |content: &[u8]| out.add_at(level, kind, content);
        match (level, kind, received.to) {
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
