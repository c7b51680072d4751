//! Sockets of this machine that have its published ports, for a kernel whose sockets are this machine's (process). The
//! kernel is handed them, so it has no right to take other ports.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::os::fd::{AsFd, OwnedFd};

use rustix::net::{AddressFamily, SocketFlags, SocketType, bind, ipproto, socket_with, sockopt};

use super::process::OUT_OF_THE_WAY;
use crate::failure::{Doing, Failure};
use crate::words::Published;

/// The descriptor of the first one; the others follow (`platforms/process/src/devices/sockets`).
pub const FIRST: i32 = 64;
/// As many as fit before the first disk.
const MOST: usize = 64;

/// A socket that has a published port.
#[derive(Debug)]
pub struct Outside {
    published: Published,
    number: i32,
    socket: OwnedFd,
}

impl Outside {
    /// Those of all ports.
    pub fn all(published: &[Published]) -> Result<Vec<Self>, Failure> {
        if published.len() > MOST {
            return Err(Failure::ours(format!("a machine has {MOST} published ports at the most")));
        }
        (FIRST..).zip(published).map(|(number, published)| Self::one(number, *published)).collect()
    }

    fn one(number: i32, published: Published) -> Result<Self, Failure> {
        let both = || open(&published, IpAddr::V6(Ipv6Addr::UNSPECIFIED));
        let socket = match published.address {
            Some(address) => open(&published, address),
            // Where IPv6 is off there is IPv4 alone.
            None => both().or_else(|error| match error.raw_os_error() {
                Some(EAFNOSUPPORT | EADDRNOTAVAIL) => open(&published, IpAddr::V4(Ipv4Addr::UNSPECIFIED)),
                _ => Err(error),
            }),
        };
        let socket = socket.map_err(|error| published.refused(&error))?;
        Ok(Self { published, number, socket })
    }

    /// What the kernel is told: see `launch::Key::Published`.
    pub fn record(&self) -> String {
        format!("{},{},{}", self.published.protocol(), self.published.guest, self.number)
    }

    /// Its descriptor for a child, and the number that it has there.
    pub fn passed_on(&self) -> Result<(OwnedFd, i32), Failure> {
        let passed = rustix::io::fcntl_dupfd_cloexec(self.socket.as_fd(), OUT_OF_THE_WAY);
        Ok((passed.doing("pass a socket on")?, self.number))
    }
}

const EAFNOSUPPORT: i32 = 97;
const EADDRNOTAVAIL: i32 = 99;

fn open(published: &Published, address: IpAddr) -> io::Result<OwnedFd> {
    let family = if address.is_ipv4() { AddressFamily::INET } else { AddressFamily::INET6 };
    let (kind, protocol) =
        if published.udp { (SocketType::DGRAM, ipproto::UDP) } else { (SocketType::STREAM, ipproto::TCP) };
    let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
    let socket = socket_with(family, kind, flags, Some(protocol))?;
    if address.is_ipv6() {
        sockopt::set_ipv6_v6only(&socket, published.address.is_some())?;
    }
    // Connections of before must not keep the port; of datagrams that would share it.
    if !published.udp {
        sockopt::set_socket_reuseaddr(&socket, true)?;
    }
    bind(&socket, &SocketAddr::new(address, published.host))?;
    Ok(socket)
}
