//! Connections of TCP.

use alloc_crate::sync::Arc;
use core::{fmt, net::SocketAddr, time::Duration};

use contracts::sockets_element::{Receiving, Setting};

use sync::WaitQueue;

use super::{
    Shutdown, ToSocketAddrs, address,
    socket::{Direction, Socket, value},
};
use crate::asynchronous::Waits;
use crate::io::{Error, Read, Result, Write};

/// A connection of TCP.
pub struct TcpStream(Arc<Socket>);

impl TcpStream {
    pub(super) fn of(socket: Socket) -> Self {
        Self(Arc::new(socket))
    }

    /// Connects to the first of these addresses that answers.
    ///
    /// # Errors
    /// Why the last one did not.
    pub fn connect<A: ToSocketAddrs>(addresses: A) -> Result<Self> {
        address::each(addresses, |to| Self::open(to, None))
    }

    /// Connects, in so much time at most.
    ///
    /// # Errors
    /// [`crate::io::ErrorKind::TimedOut`], and why it did not answer.
    pub fn connect_timeout(to: &SocketAddr, longest: Duration) -> Result<Self> {
        Self::open(*to, Some(longest))
    }

    fn open(to: SocketAddr, longest: Option<Duration>) -> Result<Self> {
        let socket = Socket::stream(to)?;
        socket.connect(to, longest)?;
        Ok(Self::of(socket))
    }

    /// The other side's address.
    ///
    /// # Errors
    /// There is no connection any more.
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

    /// Ends one direction, or both.
    ///
    /// # Errors
    /// There is no connection.
    pub fn shutdown(&self, how: Shutdown) -> Result<()> {
        self.0.shut_down(how)
    }

    /// The same connection once more.
    ///
    /// # Errors
    /// None.
    pub fn try_clone(&self) -> Result<Self> {
        Ok(Self(Arc::clone(&self.0)))
    }

    /// Says how long a read waits.
    ///
    /// # Errors
    /// No time at all.
    pub fn set_read_timeout(&self, longest: Option<Duration>) -> Result<()> {
        self.0.set_patience(Direction::Read, longest)
    }

    /// Says how long a write waits.
    ///
    /// # Errors
    /// No time at all.
    pub fn set_write_timeout(&self, longest: Option<Duration>) -> Result<()> {
        self.0.set_patience(Direction::Write, longest)
    }

    /// How long a read waits.
    ///
    /// # Errors
    /// None.
    pub fn read_timeout(&self) -> Result<Option<Duration>> {
        Ok(self.0.patience(Direction::Read))
    }

    /// How long a write waits.
    ///
    /// # Errors
    /// None.
    pub fn write_timeout(&self) -> Result<Option<Duration>> {
        Ok(self.0.patience(Direction::Write))
    }

    /// Reads, and leaves the bytes for the next read.
    ///
    /// # Errors
    /// The connection's.
    pub fn peek(&self, buffer: &mut [u8]) -> Result<usize> {
        Ok(self.0.receive(buffer, Receiving::PEEK)?.count)
    }

    /// Says whether small segments are sent at once.
    ///
    /// # Errors
    /// The network's.
    pub fn set_nodelay(&self, wanted: bool) -> Result<()> {
        self.0.set(Setting::NoDelay(wanted))
    }

    /// Whether small segments are sent at once.
    ///
    /// # Errors
    /// The network's.
    pub fn nodelay(&self) -> Result<bool> {
        value!(self.0, NoDelay(false))
    }

    /// Says how many routers its packets may pass.
    ///
    /// # Errors
    /// More than 255.
    pub fn set_ttl(&self, routers: u32) -> Result<()> {
        set_hop_limit(&self.0, routers)
    }

    /// How many routers its packets may pass.
    ///
    /// # Errors
    /// The network's.
    pub fn ttl(&self) -> Result<u32> {
        hop_limit(&self.0)
    }

    /// What went wrong since this was asked last.
    ///
    /// # Errors
    /// None.
    pub fn take_error(&self) -> Result<Option<Error>> {
        Ok(self.0.take_error())
    }

    /// Says whether reads and writes answer at once, where they would wait.
    ///
    /// # Errors
    /// None.
    pub fn set_nonblocking(&self, wanted: bool) -> Result<()> {
        self.0.set_nonblocking(wanted);
        Ok(())
    }
}

pub(super) fn set_hop_limit(socket: &Socket, routers: u32) -> Result<()> {
    // Linux' number for a value that cannot be.
    const INVALID: i32 = 22;
    let routers = u8::try_from(routers).map_err(|_| Error::from_raw_os_error(INVALID))?;
    socket.set(Setting::HopLimit(routers))
}

pub(super) fn hop_limit(socket: &Socket) -> Result<u32> {
    let routers: Result<u8> = value!(socket, HopLimit(0));
    routers.map(u32::from)
}

impl Read for &TcpStream {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        Ok(self.0.receive(buffer, Receiving::empty())?.count)
    }
}

impl Write for &TcpStream {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        self.0.send(bytes, None)
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}

impl Read for TcpStream {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        (&*self).read(buffer)
    }
}

impl Write for TcpStream {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        (&*self).write(bytes)
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}

impl Waits for TcpStream {
    fn queue(&self) -> &WaitQueue {
        self.0.queue()
    }
}

impl fmt::Debug for TcpStream {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut fields = formatter.debug_struct("TcpStream");
        if let Ok(address) = self.local_addr() {
            fields.field("addr", &address);
        }
        if let Ok(address) = self.peer_addr() {
            fields.field("peer", &address);
        }
        fields.finish()
    }
}
