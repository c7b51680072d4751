//! The headers that packets of one way have in common: copied before each, with what differs filled in. Before those
//! that stay within this machine there is none of a link.

use packets::{Head, ethernet, ipv4};
use zerocopy::IntoBytes;

/// Of Ethernet and IPv4: they begin nearly every packet of a connection.
#[derive(Clone, Debug)]
pub struct Template {
    bytes: [u8; Template::LENGTH],
    /// The sum of the header of IPv4, all that differs being zero.
    sum: u32,
    /// The sum of its addresses.
    ends: u32,
    /// Bytes that are left out of their beginning.
    skipped: usize,
}

/// Where fields are.
const IP: usize = ethernet::HEADER;
const TRAFFIC_CLASS: usize = IP + 1;
const LENGTH: usize = IP + 2;
const TIME_TO_LIVE: usize = IP + 8;
const PROTOCOL: usize = IP + 9;
const CHECKSUM: usize = IP + 10;
/// Words before its addresses.
const ADDRESSES: usize = 6;

/// RFC 1071: the carries are added, and those of that.
const fn folded(sum: u32) -> u16 {
    let sum = (sum & 0xffff) + (sum >> 16);
    ((sum & 0xffff) + (sum >> 16)) as u16
}

impl Template {
    /// Bytes of both headers.
    const LENGTH: usize = ethernet::HEADER + ipv4::HEADER;

    /// Of these, the one for IPv4 without a checksum.
    pub fn new(link: Option<&ethernet::Header>, header: &ipv4::Header) -> Self {
        let mut bytes = [0; Self::LENGTH];
        if let Some(link) = link {
            bytes[..IP].copy_from_slice(link.as_bytes());
        }
        bytes[IP..].copy_from_slice(header.as_bytes());
        for at in [TRAFFIC_CLASS, LENGTH, LENGTH + 1, TIME_TO_LIVE, PROTOCOL, CHECKSUM, CHECKSUM + 1] {
            bytes[at] = 0;
        }
        let words = bytes[IP..].as_chunks::<2>().0;
        let add = |words: &[[u8; 2]]| words.iter().map(|word| u32::from(u16::from_be_bytes(*word))).sum();
        let (sum, ends) = (add(words), add(&words[ADDRESSES..]));
        Self { bytes, sum, ends, skipped: if link.is_some() { 0 } else { IP } }
    }

    /// Whether it has the header of a link.
    pub const fn has_link(&self) -> bool {
        self.skipped == 0
    }

    /// Both headers, before `payload` bytes, which fit their length.
    #[inline(always)]
    pub fn headers(&self, (protocol, hops, class): (u8, u8, u8), payload: usize) -> [u8; Self::LENGTH] {
        let mut bytes = self.bytes;
        let length = (ipv4::HEADER + payload) as u16;
        bytes[TRAFFIC_CLASS] = class;
        bytes[LENGTH..LENGTH + 2].copy_from_slice(&length.to_be_bytes());
        (bytes[TIME_TO_LIVE], bytes[PROTOCOL]) = (hops, protocol);
        let own = u32::from(hops) << 8 | u32::from(protocol);
        let sum = !folded(self.sum + u32::from(length) + own + u32::from(class));
        bytes[CHECKSUM..CHECKSUM + 2].copy_from_slice(&sum.to_be_bytes());
        bytes
    }

    /// The sum of the pseudo header of a transport's `payload` bytes: RFC 9293, 3.1.
    #[inline(always)]
    pub fn pseudo_sum(&self, protocol: u8, payload: usize) -> u16 {
        folded(self.ends + u32::from(protocol) + payload as u32)
    }

    /// Puts the headers before `payload` bytes, which fit their length; how many bytes they are.
    #[inline(always)]
    pub fn put(&self, head: &mut Head, how: (u8, u8, u8), payload: usize) -> usize {
        let bytes = self.headers(how, payload);
        // There is headroom: a packet of ours begins with the header of its transport.
        if self.skipped == 0 {
            head.prepend(&bytes);
            return Self::LENGTH;
        }
        let (_, bytes) = bytes.split_at(IP);
        head.prepend(bytes);
        ipv4::HEADER
    }
}

#[cfg(test)]
mod tests {
    use core::net::Ipv4Addr;

    use packets::checksum;

    use super::*;

    #[test]
    fn headers_are_those_that_are_made_one_by_one() {
        let link = ethernet::Header {
            destination: ethernet::Address([1, 2, 3, 4, 5, 6]),
            source: ethernet::Address([7, 8, 9, 10, 11, 12]),
            kind: ethernet::IPV4.into(),
        };
        let (from, to) = (Ipv4Addr::new(10, 0, 2, 15), Ipv4Addr::new(255, 254, 253, 252));
        for (link, bytes) in [(Some(&link), link.as_bytes()), (None, &[])] {
            let template = Template::new(link, &ipv4::Header::unsummed(0, from, to, 0, 0));
            for (protocol, hops, class, payload) in [(6, 64, 0, 0), (17, 255, 255, 65_515), (1, 1, 2, 1480)] {
                let mut head = Head::default();
                assert_eq!(template.put(&mut head, (protocol, hops, class), payload), head.len());
                let mut header = ipv4::Header::unsummed(protocol, from, to, hops, payload);
                header.traffic_class = class;
                header.set_checksum();
                let (before, behind) = head.bytes().split_at(bytes.len());
                assert_eq!((before, behind), (bytes, header.as_bytes()));
                assert_eq!(checksum::of(behind), 0);
                let sum = checksum::Sum::new().with_pseudo_header(from.into(), to.into(), protocol, payload);
                assert_eq!(template.pseudo_sum(protocol, payload), sum.folded());
            }
        }
    }
}
