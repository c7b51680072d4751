//! The network that TCP sends through.

use std::collections::HashMap;
use std::net::IpAddr;

use packets::checksum::Sum;
use packets::tcp::{CHECKSUM_OFFSET, Flags};
use packets::{Instant, ipv4, ipv6};
use tcp::{Network, Outgoing, Route, Unreachable};
use zerocopy::IntoBytes;

/// Bytes of a segment that TCP may hand over at once, to be cut here: as devices of Linux take them.
const BURST: u32 = 65_535 - 60;

/// The only interface.
pub const INTERFACE: u32 = 1;

/// Addresses, paths, and the packets that go.
pub struct Ip {
    addresses: Vec<IpAddr>,
    mtu: usize,
    /// Paths that are known to be shorter.
    paths: HashMap<IpAddr, usize>,
    /// What links carry on the way to some, where it is not what the interface carries.
    links: HashMap<IpAddr, usize>,
    /// There is no room for segments before the device.
    pub refuses: bool,
    /// Packets of IP that go, in order.
    pub outgoing: Vec<Vec<u8>>,
}

impl Ip {
    /// One interface with these addresses.
    #[must_use]
    pub fn new(addresses: Vec<IpAddr>, mtu: usize) -> Self {
        Self { addresses, mtu, paths: HashMap::new(), links: HashMap::new(), refuses: false, outgoing: Vec::new() }
    }

    /// Whether an address is one of this machine's.
    #[must_use]
    pub fn has(&self, address: IpAddr) -> bool {
        self.addresses.contains(&address)
    }

    /// Adds an address.
    pub fn add(&mut self, address: IpAddr) {
        self.addresses.push(address);
    }

    /// A path carries packets of so many bytes.
    pub fn set_path(&mut self, to: IpAddr, mtu: usize) {
        self.paths.insert(to, mtu.min(self.mtu));
    }

    /// The route to an address is over a link that carries packets of so many bytes.
    pub fn set_link(&mut self, to: IpAddr, mtu: usize) {
        self.links.insert(to, mtu);
    }

    fn source(&self, to: IpAddr) -> Option<IpAddr> {
        self.addresses.iter().copied().find(|address| address.is_ipv4() == to.is_ipv4())
    }
}

/// Bytes of the header of IP for an address.
#[must_use]
pub const fn header_length(address: IpAddr) -> usize {
    if address.is_ipv4() { ipv4::HEADER } else { ipv6::HEADER }
}

impl Network for Ip {
    fn route(&mut self, to: IpAddr, from: Option<IpAddr>, _: u32) -> Result<Route, Unreachable> {
        let source = from.or_else(|| self.source(to)).ok_or(Unreachable::Network)?;
        let link = self.links.get(&to).copied().unwrap_or(self.mtu);
        let path = self.paths.get(&to).copied().unwrap_or(link).min(link);
        let payload = |mtu: usize| (mtu - header_length(to)) as u16;
        let (payload, link) = (payload(path), payload(link));
        Ok(Route { source, payload, link, burst: BURST, interface: INTERFACE, near: false })
    }

    fn is_local(&self, address: IpAddr) -> bool {
        self.has(address)
    }

    fn proved(&mut self, _: Instant, to: IpAddr, payload: u16) {
        self.paths.insert(to, usize::from(payload) + header_length(to));
    }

    fn send(&mut self, _: Instant, outgoing: &mut Outgoing) -> bool {
        if self.refuses {
            return false;
        }
        let size = outgoing.packet.offload.segmentation.map(|segmentation| segmentation.size.into());
        for segment in cut(&outgoing.packet.to_vec(), size) {
            self.send_segment(outgoing, segment);
        }
        true
    }
}

/// Cuts a segment into some with so many bytes of payload, as a device does: flags that say that something ends are the
/// last one's.
fn cut(whole: &[u8], size: Option<usize>) -> Vec<Vec<u8>> {
    let header = usize::from(whole[12] >> 4) * 4;
    let (header, payload) = whole.split_at(header);
    let size = size.unwrap_or(usize::MAX);
    if payload.len() <= size {
        return vec![whole.to_vec()];
    }
    let first = u32::from_be_bytes([header[4], header[5], header[6], header[7]]);
    let count = payload.len().div_ceil(size);
    let piece = |(number, payload): (usize, &[u8])| {
        let mut header = header.to_vec();
        header[4..8].copy_from_slice(&first.wrapping_add((number * size) as u32).to_be_bytes());
        if number + 1 < count {
            header[13] &= !(Flags::FIN | Flags::PSH).bits();
        }
        if number > 0 {
            header[13] &= !Flags::CWR.bits();
        }
        [&header, payload].concat()
    };
    payload.chunks(size).enumerate().map(piece).collect()
}

impl Ip {
    fn send_segment(&mut self, outgoing: &Outgoing, mut segment: Vec<u8>) {
        segment[CHECKSUM_OFFSET..CHECKSUM_OFFSET + 2].fill(0);
        let pseudo = Sum::new().with_pseudo_header(outgoing.from, outgoing.to, ipv4::protocol::TCP, segment.len());
        let checksum = pseudo.with(&segment).finish().to_be_bytes();
        segment[CHECKSUM_OFFSET..CHECKSUM_OFFSET + 2].copy_from_slice(&checksum);
        let hops = if outgoing.hop_limit == 0 { 64 } else { outgoing.hop_limit };
        let (protocol, length) = (ipv4::protocol::TCP, segment.len());
        self.outgoing.push(match (outgoing.from, outgoing.to) {
            (IpAddr::V4(from), IpAddr::V4(to)) => {
                let mut header = ipv4::Header::new(protocol, from, to, hops, length);
                header.traffic_class = outgoing.traffic_class;
                header.set_checksum();
                [header.as_bytes(), &segment].concat()
            }
            (IpAddr::V6(from), IpAddr::V6(to)) => {
                let mut header = ipv6::Header::new(protocol, from, to, hops, length);
                header.set_traffic_class(outgoing.traffic_class);
                [header.as_bytes(), &segment].concat()
            }
            (from, to) => panic!("a segment from {from} to {to}"),
        });
    }
}
