//! Headers against packets that Linux has sent, checksums against the plain definition, and the memory of packets.

use core::net::{IpAddr, Ipv4Addr};
use std::{vec, vec::Vec};

use bytes::Bytes;
use zerocopy::IntoBytes;

use crate::{
    Head, Malformed, Packet,
    checksum::{self, Sum},
    ethernet, ipv4, ipv6,
    tcp::{self, Flags, Options, SackBlocks, SequenceNumber, Timestamps},
    udp,
};

/// RFC 1071's sum as it is defined: words of 16 bits, carries added at the end.
fn plain(bytes: &[u8]) -> u16 {
    let mut sum = 0_u32;
    for pair in bytes.chunks(2) {
        sum += u32::from(pair[0]) << 8 | pair.get(1).map_or(0, |&low| u32::from(low));
        sum = (sum & 0xffff) + (sum >> 16);
    }
    !(sum as u16)
}

fn noise(length: usize) -> Vec<u8> {
    (0..length as u32).map(|index| (index.wrapping_mul(2_654_435_761) >> 13) as u8).collect()
}

#[test]
fn sums_are_those_of_the_definition() {
    for length in 0..200 {
        let bytes = noise(length);
        assert_eq!(checksum::of(&bytes), plain(&bytes), "{length} bytes");
        for cut in 0..=length {
            let sum = Sum::new().with(&bytes[..cut]).with(&bytes[cut..]);
            assert_eq!(sum.finish(), plain(&bytes), "{length} bytes, cut at {cut}");
        }
    }
    let ones = vec![0xff; 65_536];
    assert_eq!(checksum::of(&ones), plain(&ones));
}

#[test]
fn an_echo_of_linux_is_read() {
    // ping -c 1 127.0.0.1, captured.
    let bytes = [
        0x45, 0x00, 0x00, 0x54, 0x9d, 0x11, 0x40, 0x00, 0x40, 0x01, 0x9f, 0x95, 0x7f, 0x00, 0x00, 0x01, 0x7f, 0x00,
        0x00, 0x01,
    ];
    let header = ipv4::parse(&bytes, 84).unwrap();
    assert_eq!((header.source(), header.protocol), (Ipv4Addr::LOCALHOST, ipv4::protocol::ICMP));
    assert_eq!((header.length(), header.is_fragment()), (20, false));
    assert_eq!(ipv4::parse(&bytes, 83), Err(Malformed::Short));
    let mut wrong = bytes;
    wrong[8] = 63;
    assert_eq!(ipv4::parse(&wrong, 84), Err(Malformed::Checksum));
    wrong[0] = 0x44;
    assert_eq!(ipv4::parse(&wrong, 84), Err(Malformed::Length));
    wrong[0] = 0x65;
    assert_eq!(ipv4::parse(&wrong, 84), Err(Malformed::Version));
    for length in 0..20 {
        assert_eq!(ipv4::parse(&bytes[..length], length), Err(Malformed::Short));
    }
}

#[test]
fn what_is_written_is_read() {
    let (from, to) = (Ipv4Addr::new(10, 0, 0, 1), Ipv4Addr::new(10, 0, 0, 2));
    let header = ipv4::Header::new(ipv4::protocol::UDP, from, to, 64, 100);
    assert_eq!(ipv4::parse(header.as_bytes(), 120), Ok(&header));
    let mut header = ipv6::Header::new(6, "fe80::1".parse().unwrap(), "fe80::2".parse().unwrap(), 255, 40);
    header.set_traffic_class(0xb8);
    assert_eq!(header.traffic_class(), 0xb8);
    assert_eq!(ipv6::parse(header.as_bytes(), 80), Ok(&header));
    assert_eq!(ipv6::parse(header.as_bytes(), 79), Err(Malformed::Short));
    let header = udp::Header { source: 1.into(), destination: 2.into(), length: 8.into(), checksum: 0.into() };
    assert_eq!(udp::parse(header.as_bytes(), 8), Ok(&header));
    assert_eq!(udp::parse(header.as_bytes(), 7), Err(Malformed::Short));
    let frame = ethernet::Header {
        destination: ethernet::Address::BROADCAST,
        source: ethernet::Address([2, 0, 0, 0, 0, 1]),
        kind: ethernet::ARP.into(),
    };
    assert_eq!(ethernet::parse(frame.as_bytes()), Some((&frame, &[][..])));
}

#[test]
fn the_pseudo_header_counts() {
    let (from, to) = (IpAddr::from([192, 168, 0, 1]), IpAddr::from([192, 168, 0, 199]));
    let mut segment = noise(41);
    segment[16..18].fill(0);
    let sum = Sum::new().with_pseudo_header(from, to, 6, segment.len()).with(&segment);
    let mut pseudo = vec![192, 168, 0, 1, 192, 168, 0, 199, 0, 6, 0, 41];
    pseudo.extend(&segment);
    assert_eq!(sum.finish(), plain(&pseudo));
    segment[16..18].copy_from_slice(&sum.finish().to_be_bytes());
    assert!(Sum::new().with_pseudo_header(from, to, 6, segment.len()).with(&segment).is_right());
}

fn written(options: &Options) -> Vec<u8> {
    let mut bytes = [0; tcp::LONGEST_OPTIONS];
    let length = options.emit(&mut bytes);
    bytes[..length].to_vec()
}

#[test]
fn options_of_a_syn_are_linux_own() {
    let options = Options {
        segment_size: Some(1460),
        window_scale: Some(7),
        sack_permitted: true,
        timestamps: Some(Timestamps { value: 0x0102_0304, echo: 0 }),
        ..Options::default()
    };
    let bytes = written(&options);
    assert_eq!(bytes, [2, 4, 5, 0xb4, 4, 2, 8, 10, 1, 2, 3, 4, 0, 0, 0, 0, 1, 3, 3, 7]);
    assert_eq!(Options::parse(&bytes), options);
}

#[test]
fn options_hold_as_many_blocks_as_fit() {
    let mut sack = SackBlocks::default();
    for block in 0..4 {
        assert!(sack.push(SequenceNumber(block * 100), SequenceNumber(block * 100 + 50)));
    }
    assert!(!sack.push(SequenceNumber(0), SequenceNumber(1)));
    let mut options = Options { sack, ..Options::default() };
    assert_eq!(Options::parse(&written(&options)), options);
    options.timestamps = Some(Timestamps::default());
    let bytes = written(&options);
    assert_eq!(bytes.len(), 40);
    options.sack.truncate(3);
    assert_eq!(Options::parse(&bytes), options);
}

#[test]
fn options_that_cannot_be_end_them() {
    for bytes in [&[2, 4, 5][..], &[2, 0, 5, 5], &[2, 1, 3, 3], &[8, 40, 1, 1], &[5, 9, 0, 0, 0, 0, 0, 0, 0], &[3]] {
        assert_eq!(Options::parse(bytes), Options::default(), "{bytes:?}");
    }
    assert!(Options::parse(&[1, 1, 254, 4, 9, 9, 4, 2, 0, 3, 3, 1]).sack_permitted);
    assert_eq!(Options::parse(&[3, 3, 200]).window_scale, Some(14));
}

#[test]
fn a_header_of_tcp_is_read() {
    let header = tcp::Header::new((80, 4000), SequenceNumber(7), SequenceNumber(9), Flags::SYN | Flags::ACK, 4);
    let mut bytes = header.as_bytes().to_vec();
    bytes.extend([2, 4, 5, 0xb4]);
    let (parsed, options) = tcp::parse(&bytes, 24).unwrap();
    assert_eq!((parsed, options), (&header, &[2, 4, 5, 0xb4][..]));
    assert_eq!(tcp::parse(&bytes, 23), Err(Malformed::Short));
    bytes[12] = 0x40;
    assert_eq!(tcp::parse(&bytes, 24), Err(Malformed::Length));
}

#[test]
fn numbers_wrap_around() {
    let (before, after) = (SequenceNumber(u32::MAX - 1), SequenceNumber(3));
    assert!(before.is_before(after) && after.is_behind(before) && before.is_at_most(before));
    assert_eq!((after - before, before + 5, after - 5), (5, after, before));
    assert_eq!((before.later(after), before.earlier(after)), (after, before));
    assert_eq!(before.distance_from(after), -5);
}

fn packet(head: &[u8], parts: &[&[u8]]) -> Packet {
    let mut packet = Packet::default();
    assert!(packet.head.push(head));
    packet.parts.extend(parts.iter().map(|part| Bytes::copy_from_slice(part)));
    packet
}

#[test]
fn packets_lose_their_ends() {
    let whole = b"headpartmoreend";
    for front in 0..=whole.len() + 1 {
        for length in 0..=whole.len() {
            let mut packet = packet(b"head", &[b"part", b"more", b"end"]);
            packet.advance(front);
            packet.truncate(length);
            let rest = &whole[front.min(whole.len())..];
            assert_eq!(packet.to_vec(), &rest[..length.min(rest.len())], "{front} {length}");
            assert_eq!(packet.len(), packet.to_vec().len());
        }
    }
}

#[test]
fn a_head_holds_what_fits() {
    let mut packet = packet(b"", &[b"part"]);
    assert_eq!(packet.front(), b"part");
    assert!(packet.head.prepend(b"b") && packet.head.prepend(b"a"));
    assert_eq!(packet.front(), b"ab");
    let room = packet.head.room();
    assert!(!packet.head.push(&[0; crate::HEAD][..room + 1]) && !packet.head.prepend(&[0; crate::HEADROOM - 1]));
    assert_eq!(packet.to_vec(), b"abpart");
    assert!(packet.head.push(&[0; crate::HEAD][..room]) && packet.head.prepend(&[0; crate::HEADROOM - 2]));
    assert_eq!((packet.len(), packet.head.room()), (crate::HEAD + 4, 0));
}

#[test]
fn headers_are_put_before_a_payload() {
    for length in [0, 1, 5, 8] {
        let mut head = Head::payload(b"payload");
        assert!(head.prepend_two(b"first", (b"12345678", length)));
        assert_eq!(head.bytes(), [b"first", &b"12345678"[..length], b"payload"].concat());
    }
    let mut head = Head::payload(b"");
    assert!(head.prepend(&[1; crate::HEADROOM - 5]));
    assert!(!head.prepend_two(&[2; 3], (&[3; 4], 3)) && head.len() == crate::HEADROOM - 5, "there is no room");
    assert!(head.prepend_two(&[2; 3], (&[3; 4], 2)) && head.bytes()[..6] == [2, 2, 2, 3, 3, 1]);
    let most = Head::filled(3, |to| {
        to.put(b"more than that");
    });
    assert_eq!(most.bytes(), b"mor");
}

#[test]
fn a_clone_has_all_bytes() {
    for length in [0, 1, crate::HEAD - crate::HEADROOM, crate::HEAD - crate::HEADROOM + 1, 1500, 60_000] {
        let bytes: Vec<u8> = (0..length).map(|number| number as u8).collect();
        let mut head = crate::Head::received(&bytes).unwrap();
        head.advance(14);
        let mut clone = head.clone();
        assert_eq!(clone.bytes(), head.bytes());
        assert!(clone.prepend(&[7; crate::HEADROOM]) && clone.len() == head.len() + crate::HEADROOM);
    }
}

#[test]
fn time_does_not_wrap() {
    use core::time::Duration;
    let start = crate::Instant::from_nanos(5);
    assert_eq!((start - Duration::from_secs(1)).as_nanos(), 0);
    assert_eq!((start + Duration::MAX).as_nanos(), u64::MAX);
    assert_eq!(start.since(start + Duration::from_nanos(1)), Duration::ZERO);
    assert_eq!((start + Duration::from_millis(2)).since(start), Duration::from_millis(2));
}
