//! Servers of names that routers or DHCP have told.

use core::net::IpAddr;

use packets::Instant;

use super::Ip;
use crate::parts::Parts;

/// Servers at once: RFC 8106, 5.3.1 asks for three.
const SERVERS: usize = 8;

/// A server of names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Server {
    /// Its address.
    pub address: IpAddr,
    /// The interface that it was told on.
    pub interface: u32,
    /// When it is forgotten, if it is not told again.
    pub expires: Option<Instant>,
}

impl<P: Parts> Ip<P> {
    /// The servers of names, in the order in which they were told.
    #[must_use]
    pub fn servers(&self) -> &[Server] {
        &self.servers
    }

    pub(super) fn add_server(&mut self, interface: u32, address: IpAddr, expires: Option<Instant>) {
        if self.servers.len() < SERVERS && !address.is_unspecified() && !address.is_multicast() {
            self.servers.push(Server { address, interface, expires });
        }
    }

    pub(super) fn forget_server(&mut self, interface: u32, address: IpAddr) {
        self.servers.retain(|server| (server.interface, server.address) != (interface, address));
    }

    /// The client of DHCP knows servers.
    pub fn learn_servers(&mut self, interface: u32, addresses: &[IpAddr], expires: Option<Instant>) {
        for address in addresses {
            self.forget_server(interface, *address);
            self.add_server(interface, *address, expires);
        }
        self.reckon();
    }
}
