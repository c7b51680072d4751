//! TCP over two whole stacks, and what devices cannot do done before them.

use core::net::SocketAddr;
use std::{vec, vec::Vec};

use packets::{Checksum, Head, Segmentation, SegmentationKind};
use tcp::{Family, WriteFlags};

use super::world::*;
use crate::{Offloads, udp::Sending};

fn noise(length: usize) -> Vec<u8> {
    (0..length as u32).map(|index| (index.wrapping_mul(2_654_435_761) >> 13) as u8).collect()
}

/// Sends bytes from one host to another, which listens at `to`, until all are there or a minute is over.
fn carry(one: &mut Host, other: &mut Host, to: &str, data: &[u8]) -> Vec<u8> {
    let to: SocketAddr = to.parse().unwrap();
    let family = if to.is_ipv4() { Family::V4 } else { Family::V6 };
    let listener = other.stack.tcp.open(family).unwrap();
    other.stack.tcp.bind(&other.stack.ip, listener, to).unwrap();
    other.stack.tcp.listen(listener, 5).unwrap();
    let client = one.stack.tcp.open(family).unwrap();
    one.stack.tcp.connect(one.now, &mut one.stack.ip, client, to).unwrap();
    run(one, other, SECOND / 10);
    let (server, _) = other.stack.tcp.accept(listener).unwrap();
    let (mut sent, mut heard, mut buffer) = (0, vec![], vec![0; 65_536]);
    for _ in 0..6000 {
        let stack = &mut one.stack;
        sent += stack
            .tcp
            .write(one.now, &mut stack.ip, client, &mut Head::payload(&data[sent..]), WriteFlags::empty())
            .unwrap_or(0);
        run(one, other, SECOND / 100);
        let stack = &mut other.stack;
        while let Ok(count @ 1..) = stack.tcp.read(other.now, &mut stack.ip, server, &mut buffer) {
            heard.extend(&buffer[..count]);
        }
        if heard.len() == data.len() {
            break;
        }
    }
    heard
}

fn pair() -> (Host, Host) {
    let addresses = |number: u8| [std::format!("10.0.0.{number}/24"), std::format!("2001:db8::{number}/64")];
    let [a, b] = addresses(1);
    let [c, d] = addresses(2);
    (Host::new(1, &[&a, &b]), Host::new(2, &[&c, &d]))
}

#[test]
fn streams_arrive_over_both_families() {
    let data = noise(300_000);
    for to in ["10.0.0.2:80", "[2001:db8::2]:80"] {
        let (mut one, mut other) = pair();
        assert!(carry(&mut one, &mut other, to, &data) == data, "{to}");
        assert_eq!(other.stack.tcp.statistics().bad_checksums, 0);
        assert_eq!(one.stack.tcp.statistics().segments_retransmitted, 0);
    }
}

/// A datagram of `length` bytes for a device that cuts, or not, into 1000 bytes each. Gives what is sent.
fn cut(offloads: Offloads, largest: usize, length: usize, v4: bool) -> Vec<crate::Packet> {
    let mut host: Host = Host::bare(1, 1500, crate::Medium::Ip);
    let attributes = crate::Attributes { address: None, mtu: 1500, queues: 1, offloads, largest };
    let second = host.stack.ip.add_interface(host.now, attributes, crate::Medium::Ip);
    host.stack.ip.set_up(host.now, second, true).unwrap();
    let (own, to) = if v4 { ("10.1.0.1/24", "10.1.0.2:9") } else { ("2001:db8:1::1/64", "[2001:db8:1::2]:9") };
    host.stack.ip.add_address(host.now, second, prefix(own)).unwrap();
    // Reports of groups are not what is looked at.
    host.stack.outgoing(second).unwrap().clear();
    let socket = host.stack.udp.open(crate::udp::Family::V6).unwrap();
    let sending = Sending { to: Some(to.parse().unwrap()), segment: Some(1000), ..Sending::default() };
    let payload = core::iter::once(noise(length).into()).collect();
    host.stack.udp.send(host.now, &mut host.stack.ip, socket, payload, &sending).unwrap();
    core::mem::take(host.stack.outgoing(second).unwrap())
}

#[test]
fn datagrams_are_cut_here_or_by_the_device() {
    for (v4, header) in [(true, 20), (false, 40)] {
        let whole = cut(Offloads::SEND_CHECKSUM | Offloads::SEND_UDP, 65_535, 2500, v4);
        assert_eq!(whole.len(), 1);
        assert_eq!(whole[0].offload.segmentation, Some(Segmentation { kind: SegmentationKind::Udp, size: 1000 }));
        assert_eq!(whole[0].offload.checksum, Checksum::Partial { start: header, offset: 6 });
        let half = cut(Offloads::SEND_CHECKSUM, 0, 2500, v4);
        assert!(half.iter().all(|packet| matches!(packet.offload.checksum, Checksum::Partial { .. })));
        let none = cut(Offloads::empty(), 0, 2500, v4);
        assert_eq!((half.len(), none.len()), (3, 3));
        assert_eq!(cut(Offloads::SEND_CHECKSUM | Offloads::SEND_UDP, 2000, 2500, v4).len(), 3, "too long for it");
        let mut payload: Vec<u8> = vec![];
        for packet in none {
            assert_eq!((packet.offload.checksum, packet.offload.segmentation), (Checksum::Complete, None));
            let bytes = packet.to_vec();
            let (from, to) = if v4 { ("10.1.0.1", "10.1.0.2") } else { ("2001:db8:1::1", "2001:db8:1::2") };
            let rest = &bytes[header as usize..];
            let sum = packets::checksum::Sum::new().with_pseudo_header(ip(from), ip(to), 17, rest.len());
            assert!(sum.with(rest).is_right());
            assert_eq!(usize::from(u16::from_be_bytes([rest[4], rest[5]])), rest.len());
            payload.extend(&rest[8..]);
        }
        assert_eq!(payload, noise(2500));
    }
}

#[test]
fn segments_of_tcp_are_cut_as_devices_do() {
    use packets::tcp::{Flags, Header, SequenceNumber};
    use zerocopy::IntoBytes;
    let flags = Flags::ACK | Flags::PSH | Flags::FIN | Flags::CWR;
    let header = Header::new((1, 2), SequenceNumber(u32::MAX - 500), SequenceNumber(9), flags, 12);
    let ip_header = packets::ipv4::Header::new(6, [10, 0, 0, 1].into(), [10, 0, 0, 2].into(), 64, 32 + 2500);
    let mut packet = crate::Packet::default();
    packet.head.push(ip_header.as_bytes());
    packet.head.push(header.as_bytes());
    packet.head.push(&[1; 12]);
    packet.parts.push(noise(2500).into());
    packet.offload.checksum = Checksum::Partial { start: 20, offset: 16 };
    packet.offload.segmentation = Some(Segmentation { kind: SegmentationKind::TcpIpv4, size: 1000 });
    let mut payload: Vec<u8> = vec![];
    for (index, mut segment) in crate::software::segments(packet).unwrap().into_iter().enumerate() {
        crate::software::complete(&mut segment);
        let bytes = segment.to_vec();
        let outer = packets::ipv4::parse(&bytes, bytes.len()).unwrap();
        assert_eq!(usize::from(outer.total_length.get()), bytes.len());
        let (header, options) = packets::tcp::parse(&bytes[20..], bytes.len() - 20).unwrap();
        let wanted = match index {
            0 => Flags::ACK | Flags::CWR,
            1 => Flags::ACK,
            _ => Flags::ACK | Flags::PSH | Flags::FIN,
        };
        assert_eq!((header.flags(), options), (wanted, &[1; 12][..]));
        assert_eq!(header.sequence(), SequenceNumber(u32::MAX - 500) + 1000 * index as u32);
        let sum = packets::checksum::Sum::new().with_pseudo_header(ip("10.0.0.1"), ip("10.0.0.2"), 6, bytes.len() - 20);
        assert!(sum.with(&bytes[20..]).is_right());
        payload.extend(&bytes[52..]);
    }
    assert_eq!(payload, noise(2500));
}

#[test]
fn what_a_device_has_put_together_is_taken_apart() {
    let (mut host, _) = pair();
    let socket = host.socket("10.0.0.1:5");
    let frame = v4(2, "10.0.0.2", "10.0.0.1", 17, &datagram(("10.0.0.2", 9), ("10.0.0.1", 5), &noise(2500)));
    let give = |host: &mut Host| {
        let mut packet = crate::Packet::received(frame.clone().into(), Default::default());
        packet.offload.segmentation = Some(Segmentation { kind: SegmentationKind::Udp, size: 1000 });
        packet.offload.checksum = Checksum::Good;
        host.stack.receive(host.now, LINK, &mut vec![packet]);
    };
    give(&mut host);
    let mut lengths = vec![];
    while let Ok(datagram) = host.stack.udp.receive(socket) {
        lengths.push(datagram.len());
    }
    assert_eq!(lengths, [1000, 1000, 500]);
    host.stack.udp.settings_mut(socket).unwrap().coalesced = true;
    give(&mut host);
    let whole = host.stack.udp.receive(socket).unwrap();
    assert_eq!((whole.len(), whole.segment), (2500, Some(1000)));
}
