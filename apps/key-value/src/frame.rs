//! Ethernet, ARP, IPv4 and UDP round a request, as far as one server with one address needs them.

use std::net::{IpAddr, Ipv4Addr};
use std::nic::{
    Address, Attributes, Offloads,
    packets::{Checksum, Head, Offload, Packet, checksum::Sum, ethernet, ipv4, udp},
};

use zerocopy::IntoBytes;

use crate::request::LONGEST_ANSWER;

/// Our address and port: the address is what QEMU's user network gives its first machine.
const OURS: Ipv4Addr = Ipv4Addr::new(10, 0, 2, 15);
const PORT: u16 = 7171;
/// Routers that an answer may pass.
const HOPS: u8 = 64;
/// Bytes of an ARP packet for IPv4 over Ethernet (RFC 826), and what one begins with: kinds, lengths, and the
/// operation.
const ARP: usize = 28;
const ARP_BEGIN: [u8; 7] = [0, 1, 8, 0, 6, 4, 0];
const ARP_REQUEST: u8 = 1;
const ARP_REPLY: u8 = 2;
/// Where UDP begins in a frame.
const TRANSPORT: usize = ethernet::HEADER + ipv4::HEADER;

/// Writes an answer to a request and says how long it is.
type Serve<'a> = &'a mut dyn FnMut(&[u8], &mut [u8; LONGEST_ANSWER]) -> Option<usize>;

/// What answers frames.
pub struct Frames {
    address: Address,
    /// The device writes checksums.
    sums: bool,
}

impl Frames {
    /// For an interface; `None` if it is no Ethernet.
    pub fn new(attributes: Attributes) -> Option<Self> {
        Some(Self { address: attributes.address?, sums: attributes.offloads.contains(Offloads::SEND_CHECKSUM) })
    }

    /// Our address.
    pub const fn address(&self) -> Address {
        self.address
    }

    /// Makes a packet its answer; `false` if there is none.
    pub fn answer(&self, packet: &mut Packet, serve: Serve<'_>) -> bool {
        // All of a frame that is for us is in one stretch: others are none of ours.
        if packet.front().len() != packet.len() {
            return false;
        }
        let Some(written) = self.written(packet, serve) else { return false };
        packet.offload = written;
        packet.parts.clear();
        true
    }

    fn written(&self, packet: &mut Packet, serve: Serve<'_>) -> Option<Offload> {
        let (header, rest) = ethernet::parse(packet.front())?;
        match header.kind.get() {
            ethernet::ARP => {
                let asker = Self::asker(rest)?;
                self.arp(&asker, emptied(&mut packet.head))
            }
            ethernet::IPV4 => {
                let mut answer = [0; LONGEST_ANSWER];
                let (to, count) = Self::datagram(rest, packet.offload.checksum, serve, &mut answer)?;
                self.reply(&Peer { station: header.source, ..to }, &answer[..count], emptied(&mut packet.head))
            }
            _ => None,
        }
    }

    /// Who asks for our address: its own addresses.
    fn asker(rest: &[u8]) -> Option<[u8; 10]> {
        let request: &[u8; ARP] = rest.first_chunk()?;
        let asks = request[..7] == ARP_BEGIN && request[7] == ARP_REQUEST && request[24..] == OURS.octets();
        if asks { request[8..].first_chunk().copied() } else { None }
    }

    fn arp(&self, asker: &[u8; 10], head: &mut Head) -> Option<Offload> {
        let done = self.ethernet(Address(*asker.first_chunk()?), ethernet::ARP, head)
            && head.push(&ARP_BEGIN)
            && head.push(&[ARP_REPLY])
            && head.push(&self.address.0)
            && head.push(&OURS.octets())
            && head.push(asker);
        done.then(Offload::default)
    }

    #[inline]
    fn ethernet(&self, destination: Address, kind: u16, head: &mut Head) -> bool {
        let kind = kind.to_be_bytes();
        head.push(&destination.0) && head.push(&self.address.0) && head.push(&kind)
    }

    /// Has a datagram for us served: whom the answer is for, but its station, and how long it is.
    fn datagram(
        rest: &[u8],
        checksum: Checksum,
        serve: Serve<'_>,
        answer: &mut [u8; LONGEST_ANSWER],
    ) -> Option<(Peer, usize)> {
        let ip = ipv4::parse(rest, rest.len()).ok()?;
        let segment = &rest[ip.length()..usize::from(ip.total_length.get())];
        if ip.destination() != OURS || ip.protocol != ipv4::protocol::UDP || ip.is_fragment() {
            return None;
        }
        let udp = udp::parse(segment, segment.len()).ok()?;
        let datagram = &segment[..udp.length.get().into()];
        if udp.destination.get() != PORT || !is_right(ip, udp, datagram, checksum) {
            return None;
        }
        let count = serve(&datagram[udp::HEADER..], answer)?;
        Some((Peer { station: Address::default(), address: ip.source(), port: udp.source.get() }, count))
    }

    fn reply(&self, to: &Peer, answer: &[u8], head: &mut Head) -> Option<Offload> {
        let (length, Peer { station, address: to, port }) = (udp::HEADER + answer.len(), *to);
        let ip = ipv4::Header::new(ipv4::protocol::UDP, OURS, to, HOPS, length);
        let mut udp = [PORT.to_be_bytes(), port.to_be_bytes(), (length as u16).to_be_bytes(), [0; 2]];
        let pseudo = Sum::new().with_pseudo_header(OURS.into(), IpAddr::V4(to), ipv4::protocol::UDP, length);
        let checksum = if self.sums {
            udp[3] = pseudo.folded().to_be_bytes();
            Checksum::Partial { start: TRANSPORT as u16, offset: udp::CHECKSUM_OFFSET as u16 }
        } else {
            udp[3] = udp::written(pseudo.with(udp.as_flattened()).with(answer).finish()).to_be_bytes();
            Checksum::Complete
        };
        let done = self.ethernet(station, ethernet::IPV4, head)
            && head.push(ip.as_bytes())
            && head.push(udp.as_flattened())
            && head.push(answer);
        done.then_some(Offload { checksum, segmentation: None })
    }
}

/// Whom an answer is for.
#[derive(Clone, Copy)]
struct Peer {
    station: Address,
    address: Ipv4Addr,
    port: u16,
}

/// A head without the bytes that came in it: its memory is the answer's.
fn emptied(head: &mut Head) -> &mut Head {
    head.clear();
    head
}

/// Whether a datagram's checksum is right, unless it has none or the device has looked.
fn is_right(ip: &ipv4::Header, udp: &udp::Header, datagram: &[u8], checksum: Checksum) -> bool {
    if checksum != Checksum::Complete || udp.checksum.get() == 0 {
        return true;
    }
    let (source, destination) = (ip.source().into(), ip.destination().into());
    Sum::new().with_pseudo_header(source, destination, ip.protocol, datagram.len()).with(datagram).is_right()
}
