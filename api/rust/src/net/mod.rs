//! The network, as `std::net` has it: sockets of the contract `sockets`, without descriptors.

mod address;
mod datagrams;
mod listener;
mod names;
mod socket;
mod stream;

pub use address::ToSocketAddrs;
pub use core::net::{AddrParseError, IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6};
pub use datagrams::UdpSocket;
pub use listener::{Incoming, IntoIncoming, TcpListener};
pub use stream::TcpStream;

/// Which direction of a connection ends.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Shutdown {
    /// Nothing more is read.
    Read,
    /// Nothing more is written.
    Write,
    /// Neither.
    Both,
}
