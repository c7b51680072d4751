//! What comes along with datagrams of the host's sockets: cmsg(3), ip(7), ipv6(7).

use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::sockets::{AF_INET, set};

/// What comes along with a datagram, or goes (cmsg(3)).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Companions {
    /// Which of the host's addresses it came for, or goes from.
    pub own: Option<IpAddr>,
    /// By which of its interfaces it came.
    pub interface: u32,
    /// What was left of its hop limit.
    pub hop_limit: u8,
    /// Differentiated services and congestion notification.
    pub traffic_class: u8,
    /// When it came, in nanoseconds of the clock on the wall; 0 if nobody says.
    pub at: u64,
}

/// Levels and kinds of control messages: socket(7), ip(7), ipv6(7).
const SOL_SOCKET: u32 = 1;
const SOL_IP: u32 = 0;
const SOL_IPV6: u32 = 41;
const IP_TOS: u32 = 1;
const IP_TTL: u32 = 2;
const IP_PKTINFO: u32 = 8;
const SO_TIMESTAMPNS: u32 = 35;
const IPV6_PKTINFO: u32 = 50;
const IPV6_HOPLIMIT: u32 = 52;
const IPV6_TCLASS: u32 = 67;
/// Options by which these come: IP_PKTINFO, IP_RECVTTL, IP_RECVTOS, IPV6_RECVPKTINFO, IPV6_RECVHOPLIMIT,
/// IPV6_RECVTCLASS, SO_TIMESTAMPNS.
const TELLING: [(u32, u32); 7] = [
    (SOL_IP, 8),
    (SOL_IP, 12),
    (SOL_IP, 13),
    (SOL_IPV6, 49),
    (SOL_IPV6, 51),
    (SOL_IPV6, 66),
    (SOL_SOCKET, SO_TIMESTAMPNS),
];

/// Bytes of a control message's header.
const HEADER: usize = 16;
/// Bytes of the control messages that are asked for, with room for more.
pub const CONTROL: usize = 256;

/// Has what comes along told, or not. A socket of IPv4 does not know the options of IPv6.
pub fn tell_companions(descriptor: i32, told: bool) {
    for (level, option) in TELLING {
        let _ = set(descriptor, level, option, &[told.into()]);
    }
}

impl Companions {
    /// What the host has written.
    pub fn read(mut control: &[u8]) -> Self {
        let mut told = Self::default();
        while let Some((head, rest)) = control.split_first_chunk::<HEADER>() {
            let [length, words] =
                [&head[..8], &head[8..]].map(|half| half.first_chunk::<8>().copied().unwrap_or([0; 8]));
            let (length, words) = (u64::from_ne_bytes(length) as usize, u64::from_ne_bytes(words));
            let Some(content) = length.checked_sub(HEADER).and_then(|length| rest.get(..length)) else { break };
            told.note(words as u32, (words >> u32::BITS) as u32, content);
            control = rest.get(content.len().next_multiple_of(8)..).unwrap_or_default();
        }
        told
    }

    fn note(&mut self, level: u32, kind: u32, content: &[u8]) {
        let word = |at: usize| content.get(at..).and_then(<[u8]>::first_chunk::<4>).copied().unwrap_or_default();
        match (level, kind) {
            (SOL_IP, IP_PKTINFO) => {
                self.interface = u32::from_ne_bytes(word(0));
                self.own = Some(Ipv4Addr::from(word(8)).into());
            }
            (SOL_IPV6, IPV6_PKTINFO) => {
                let own = content.first_chunk::<16>().copied().unwrap_or_default();
                self.own = Some(IpAddr::V6(Ipv6Addr::from(own)).to_canonical());
                self.interface = u32::from_ne_bytes(word(16));
            }
            (SOL_IP, IP_TTL) | (SOL_IPV6, IPV6_HOPLIMIT) => self.hop_limit = u32::from_ne_bytes(word(0)) as u8,
            (SOL_IPV6, IPV6_TCLASS) => self.traffic_class = u32::from_ne_bytes(word(0)) as u8,
            (SOL_SOCKET, SO_TIMESTAMPNS) => {
                let [seconds, rest] = [0, 8].map(|at| {
                    let word = content.get(at..).and_then(<[u8]>::first_chunk::<8>).copied().unwrap_or_default();
                    u64::from_ne_bytes(word)
                });
                self.at = seconds.saturating_mul(1_000_000_000).saturating_add(rest);
            }
            (SOL_IP, IP_TOS) => self.traffic_class = content.first().copied().unwrap_or(0),
            _ => {}
        }
    }

    /// The control message that has a datagram go from an address, of a socket of this family, and its length.
    pub fn source(own: IpAddr, family: u32) -> ([u64; 5], usize) {
        let mut words = [0; 5];
        let v6 = match own {
            IpAddr::V4(own) if family == AF_INET => {
                // The interface, the source, and the destination, which nobody reads.
                words[2] = u64::from(u32::from_ne_bytes(own.octets())) << u32::BITS;
                words[1] = u64::from(IP_PKTINFO) << u32::BITS | u64::from(SOL_IP);
                words[0] = (HEADER + 12) as u64;
                return (words, HEADER + 16);
            }
            IpAddr::V4(own) => own.to_ipv6_mapped(),
            IpAddr::V6(own) => own,
        };
        words[0] = (HEADER + 20) as u64;
        words[1] = u64::from(IPV6_PKTINFO) << u32::BITS | u64::from(SOL_IPV6);
        for (word, bytes) in words[2..].iter_mut().zip(v6.octets().as_chunks::<8>().0) {
            *word = u64::from_ne_bytes(*bytes);
        }
        (words, HEADER + 24)
    }
}

#[cfg(test)]
mod tests {
    use super::{super::sockets::AF_INET6, *};

    fn message(level: u32, kind: u32, content: &[u8]) -> alloc::vec::Vec<u8> {
        let length = HEADER + content.len();
        let mut bytes = (length as u64).to_ne_bytes().to_vec();
        bytes.extend([level.to_ne_bytes(), kind.to_ne_bytes()].concat());
        bytes.extend(content);
        bytes.resize(length.next_multiple_of(8), 0);
        bytes
    }

    #[test]
    fn companions_are_read() {
        let one = message(SOL_IP, IP_PKTINFO, &[7, 0, 0, 0, 192, 0, 2, 9, 192, 0, 2, 1]);
        let time = message(SOL_SOCKET, SO_TIMESTAMPNS, &[[2, 0, 0, 0, 0, 0, 0, 0], [5, 0, 0, 0, 0, 0, 0, 0]].concat());
        let all =
            [one, message(SOL_IP, IP_TTL, &[63, 0, 0, 0]), message(SOL_IP, IP_TOS, &[8]), message(1, 1, &[]), time];
        let told = Companions::read(&all.concat());
        let own = Some(Ipv4Addr::new(192, 0, 2, 1).into());
        assert_eq!(told, Companions { own, interface: 7, hop_limit: 63, traffic_class: 8, at: 2_000_000_005 });
        let mut content = Ipv6Addr::LOCALHOST.octets().to_vec();
        content.extend([3, 0, 0, 0]);
        let all = [message(SOL_IPV6, IPV6_PKTINFO, &content), message(SOL_IPV6, IPV6_HOPLIMIT, &[1, 0, 0, 0])].concat();
        let told = Companions::read(&all);
        assert_eq!(
            told,
            Companions { own: Some(Ipv6Addr::LOCALHOST.into()), interface: 3, hop_limit: 1, ..Companions::default() }
        );
        // Cut anywhere it is no panic.
        (0..all.len()).for_each(|length| _ = Companions::read(&all[..length]));
    }

    #[test]
    fn a_source_is_what_is_read() {
        for (own, family) in [("192.0.2.9", AF_INET), ("192.0.2.9", AF_INET6), ("2001:db8::1", AF_INET6)] {
            let own: IpAddr = own.parse().unwrap();
            let (words, length) = Companions::source(own, family);
            let bytes: alloc::vec::Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).take(length).collect();
            if family == AF_INET {
                assert_eq!(bytes[20..24], [192, 0, 2, 9]);
            } else {
                assert_eq!(Companions::read(&bytes).own, Some(own));
            }
        }
    }
}
