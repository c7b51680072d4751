//! The four numbers that name a connection: RFC 9293, 3.3.1.

use core::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

/// Two addresses and two ports. Addresses of IPv4 are kept as IPv4-mapped ones (RFC 4291, 2.5.5.2), so a socket of IPv6
/// may have either.
#[derive(Clone, Copy, Debug)]
pub struct Tuple {
    pub local: Ipv6Addr,
    pub remote: Ipv6Addr,
    pub local_port: u16,
    pub remote_port: u16,
}

/// What is before an address of IPv4 in its mapped form.
const MAPPED: [u8; 12] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff];

impl PartialEq for Tuple {
    /// Words, not bytes: each segment is compared.
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        let ports = |tuple: &Self| u32::from(tuple.local_port) << 16 | u32::from(tuple.remote_port);
        ports(self) == ports(other)
            && self.remote.to_bits() == other.remote.to_bits()
            && self.local.to_bits() == other.local.to_bits()
    }
}

impl Eq for Tuple {}

impl Tuple {
    pub fn new(local: SocketAddr, remote: SocketAddr) -> Self {
        Self {
            local: mapped(local.ip()),
            remote: mapped(remote.ip()),
            local_port: local.port(),
            remote_port: remote.port(),
        }
    }

    /// The other end's.
    pub const fn reversed(&self) -> Self {
        Self { local: self.remote, remote: self.local, local_port: self.remote_port, remote_port: self.local_port }
    }

    pub fn local(&self) -> IpAddr {
        self.local.to_canonical()
    }

    pub fn remote(&self) -> IpAddr {
        self.remote.to_canonical()
    }

    #[inline]
    pub fn is_v4(&self) -> bool {
        let [prefix @ .., _, _, _, _] = self.remote.octets();
        prefix == MAPPED
    }

    /// The addresses of one of IPv4, which it must be.
    pub fn as_v4(&self) -> (IpAddr, IpAddr) {
        let v4 = |address: Ipv6Addr| IpAddr::V4(Ipv4Addr::from_bits(address.to_bits() as u32));
        (v4(self.local), v4(self.remote))
    }

    /// The addresses of one of IPv4 as numbers: this machine's, and the other's.
    #[inline]
    pub fn ends_v4(&self) -> Option<(u32, u32)> {
        self.is_v4().then(|| (self.local.to_bits() as u32, self.remote.to_bits() as u32))
    }

    /// The bytes of one of IPv4 for a keyed hash.
    #[inline]
    pub fn short(&self) -> [u8; 12] {
        let [.., a, b, c, d] = self.local.octets();
        let [.., e, f, g, h] = self.remote.octets();
        let ([i, j], [k, l]) = (self.local_port.to_be_bytes(), self.remote_port.to_be_bytes());
        [a, b, c, d, e, f, g, h, i, j, k, l]
    }

    /// Its bytes for a keyed hash, and how many they are: an IPv4 one is short.
    pub fn bytes(&self) -> ([u8; 36], usize) {
        let mut bytes = [0; 36];
        if self.is_v4() {
            let short = self.short();
            bytes[..short.len()].copy_from_slice(&short);
            return (bytes, short.len());
        }
        bytes[..16].copy_from_slice(&self.local.octets());
        bytes[16..32].copy_from_slice(&self.remote.octets());
        bytes[32..34].copy_from_slice(&self.local_port.to_be_bytes());
        bytes[34..].copy_from_slice(&self.remote_port.to_be_bytes());
        (bytes, 36)
    }
}

/// An address in the one form that is compared.
pub const fn mapped(address: IpAddr) -> Ipv6Addr {
    match address {
        // In one piece: its bytes one by one would be moved one by one.
        IpAddr::V4(address) => Ipv6Addr::from_bits(0xffff << 32 | address.to_bits() as u128),
        IpAddr::V6(address) => address,
    }
}

/// Whether an address stands for all of its family, or for all of both.
pub fn is_unspecified(address: Ipv6Addr) -> bool {
    address.to_canonical().is_unspecified()
}
