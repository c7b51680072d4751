//! Sockets of UDP.

use alloc_crate::sync::Arc;
use core::{
    fmt,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    time::Duration,
};

use contracts::sockets_element::{Membership, Received, Receiving, Setting};

use sync::WaitQueue;

use super::{
    ToSocketAddrs, address,
    socket::{Direction, Socket, value},
    stream,
};
use crate::asynchronous::Waits;
use crate::io::{Error, ErrorKind, Message, Result};

const NOBODY: Message = Message { kind: ErrorKind::InvalidInput, text: "no addresses to send data to" };
/// Where a datagram came from is always known.
const NO_SENDER: Message = Message { kind: ErrorKind::InvalidData, text: "a datagram without a sender" };

/// A socket of UDP.
pub struct UdpSocket(Arc<Socket>);

impl UdpSocket {
    /// One at the first of these addresses that is free.
    ///
    /// # Errors
    /// Why the last one is not.
    pub fn bind<A: ToSocketAddrs>(addresses: A) -> Result<Self> {
        address::each(addresses, |at| {
            let socket = Socket::datagrams(at)?;
            socket.bind(at)?;
            Ok(Self(Arc::new(socket)))
        })
    }

    /// Receives a datagram, as much of it as there is room for, and says whose it is.
    ///
    /// # Errors
    /// The network's.
    pub fn recv_from(&self, buffer: &mut [u8]) -> Result<(usize, SocketAddr)> {
        whose(self.0.receive(buffer, Receiving::empty())?)
    }

    /// The same, and leaves it for the next receive.
    ///
    /// # Errors
    /// The network's.
    pub fn peek_from(&self, buffer: &mut [u8]) -> Result<(usize, SocketAddr)> {
        whose(self.0.receive(buffer, Receiving::PEEK)?)
    }

    /// Sends a datagram to the first of these addresses.
    ///
    /// # Errors
    /// The network's.
    pub fn send_to<A: ToSocketAddrs>(&self, bytes: &[u8], to: A) -> Result<usize> {
        let to = to.to_socket_addrs()?.next().ok_or_else(|| NOBODY.error())?;
        self.0.send(bytes, Some(to))
    }

    /// Says whom it sends to and hears from, from now on.
    ///
    /// # Errors
    /// No way leads there.
    pub fn connect<A: ToSocketAddrs>(&self, with: A) -> Result<()> {
        address::each(with, |with| self.0.associate(with))
    }

    /// Sends a datagram to whom it is connected.
    ///
    /// # Errors
    /// The network's.
    pub fn send(&self, bytes: &[u8]) -> Result<usize> {
        self.0.send(bytes, None)
    }

    /// Receives a datagram, as much of it as there is room for.
    ///
    /// # Errors
    /// The network's.
    pub fn recv(&self, buffer: &mut [u8]) -> Result<usize> {
        Ok(self.0.receive(buffer, Receiving::empty())?.count)
    }

    /// The same, and leaves it for the next receive.
    ///
    /// # Errors
    /// The network's.
    pub fn peek(&self, buffer: &mut [u8]) -> Result<usize> {
        Ok(self.0.receive(buffer, Receiving::PEEK)?.count)
    }

    /// To whom it is connected.
    ///
    /// # Errors
    /// To nobody.
    pub fn peer_addr(&self) -> Result<SocketAddr> {
        self.0.remote()
    }

    /// Its own address.
    ///
    /// # Errors
    /// The network's.
    pub fn local_addr(&self) -> Result<SocketAddr> {
        self.0.local()
    }

    /// The same socket once more.
    ///
    /// # Errors
    /// None.
    pub fn try_clone(&self) -> Result<Self> {
        Ok(Self(Arc::clone(&self.0)))
    }

    /// Says how long a receive waits.
    ///
    /// # Errors
    /// No time at all.
    pub fn set_read_timeout(&self, longest: Option<Duration>) -> Result<()> {
        self.0.set_patience(Direction::Read, longest)
    }

    /// Says how long a send waits.
    ///
    /// # Errors
    /// No time at all.
    pub fn set_write_timeout(&self, longest: Option<Duration>) -> Result<()> {
        self.0.set_patience(Direction::Write, longest)
    }

    /// How long a receive waits.
    ///
    /// # Errors
    /// None.
    pub fn read_timeout(&self) -> Result<Option<Duration>> {
        Ok(self.0.patience(Direction::Read))
    }

    /// How long a send waits.
    ///
    /// # Errors
    /// None.
    pub fn write_timeout(&self) -> Result<Option<Duration>> {
        Ok(self.0.patience(Direction::Write))
    }

    /// Says whether it may send to everyone.
    ///
    /// # Errors
    /// The network's.
    pub fn set_broadcast(&self, wanted: bool) -> Result<()> {
        self.0.set(Setting::Broadcast(wanted))
    }

    /// Whether it may send to everyone.
    ///
    /// # Errors
    /// The network's.
    pub fn broadcast(&self) -> Result<bool> {
        value!(self.0, Broadcast(false))
    }

    /// Says how many routers its packets may pass.
    ///
    /// # Errors
    /// More than 255.
    pub fn set_ttl(&self, routers: u32) -> Result<()> {
        stream::set_hop_limit(&self.0, routers)
    }

    /// How many routers its packets may pass.
    ///
    /// # Errors
    /// The network's.
    pub fn ttl(&self) -> Result<u32> {
        stream::hop_limit(&self.0)
    }

    /// Says whether what it sends to groups comes to this machine's members too.
    ///
    /// # Errors
    /// The network's.
    pub fn set_multicast_loop_v4(&self, wanted: bool) -> Result<()> {
        self.0.set(Setting::GroupLoop(wanted))
    }

    /// The same of IPv6.
    ///
    /// # Errors
    /// The network's.
    pub fn set_multicast_loop_v6(&self, wanted: bool) -> Result<()> {
        self.0.set(Setting::GroupLoop(wanted))
    }

    /// Joins a group, at the interface that leads to it.
    ///
    /// # Errors
    /// It is no group, or is joined already, and the network's. An interface by its address is not there.
    pub fn join_multicast_v4(&self, group: &Ipv4Addr, interface: &Ipv4Addr) -> Result<()> {
        self.member((*group).into(), of_address(interface)?, true)
    }

    /// Leaves it.
    ///
    /// # Errors
    /// It has not been joined.
    pub fn leave_multicast_v4(&self, group: &Ipv4Addr, interface: &Ipv4Addr) -> Result<()> {
        self.member((*group).into(), of_address(interface)?, false)
    }

    /// Joins a group, at an interface by its number; 0 is the one that leads to it.
    ///
    /// # Errors
    /// It is no group, or is joined already, and the network's.
    pub fn join_multicast_v6(&self, group: &Ipv6Addr, interface: u32) -> Result<()> {
        self.member((*group).into(), interface, true)
    }

    /// Leaves it.
    ///
    /// # Errors
    /// It has not been joined.
    pub fn leave_multicast_v6(&self, group: &Ipv6Addr, interface: u32) -> Result<()> {
        self.member((*group).into(), interface, false)
    }

    fn member(&self, group: IpAddr, interface: u32, member: bool) -> Result<()> {
        self.0.set_membership(Membership { group, interface, source: None }, member)
    }

    /// What went wrong since this was asked last.
    ///
    /// # Errors
    /// None.
    pub fn take_error(&self) -> Result<Option<Error>> {
        Ok(self.0.take_error())
    }

    /// Says whether sends and receives answer at once, where they would wait.
    ///
    /// # Errors
    /// None.
    pub fn set_nonblocking(&self, wanted: bool) -> Result<()> {
        self.0.set_nonblocking(wanted);
        Ok(())
    }
}

/// The number of the interface that groups are joined at by this address: only that of none in particular is known.
fn of_address(interface: &Ipv4Addr) -> Result<u32> {
    const ANY_ALONE: Message =
        Message { kind: ErrorKind::Unsupported, text: "an interface by its address: only 0.0.0.0 is known" };
    if interface.is_unspecified() { Ok(0) } else { Err(ANY_ALONE.error()) }
}

fn whose(received: Received) -> Result<(usize, SocketAddr)> {
    received.from.map(|from| (received.count, from)).ok_or_else(|| NO_SENDER.error())
}

impl Waits for UdpSocket {
    fn queue(&self) -> &WaitQueue {
        self.0.queue()
    }
}

impl fmt::Debug for UdpSocket {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut fields = formatter.debug_struct("UdpSocket");
        if let Ok(address) = self.local_addr() {
            fields.field("addr", &address);
        }
        fields.finish()
    }
}
