//! Listeners of TCP.

use alloc_crate::sync::Arc;
use core::{fmt, iter::FusedIterator, net::SocketAddr};

use contracts::sockets_element::Setting;

use sync::WaitQueue;

use super::{TcpStream, ToSocketAddrs, address, socket::Socket, stream};
use crate::asynchronous::Waits;
use crate::io::{Error, Result};

/// Takes connections of TCP.
pub struct TcpListener(Arc<Socket>);

/// The connections of a listener, one after the other, without an end.
#[derive(Debug)]
pub struct Incoming<'a>(&'a TcpListener);

/// The same, with the listener.
#[derive(Debug)]
pub struct IntoIncoming(TcpListener);

impl TcpListener {
    /// Listens at the first of these addresses that is free.
    ///
    /// # Errors
    /// Why the last one is not.
    pub fn bind<A: ToSocketAddrs>(addresses: A) -> Result<Self> {
        address::each(addresses, |at| {
            let socket = Socket::stream(at)?;
            socket.set(Setting::ReuseAddress(true))?;
            socket.bind(at)?;
            socket.listen()?;
            Ok(Self(Arc::new(socket)))
        })
    }

    /// Its address.
    ///
    /// # Errors
    /// The network's.
    pub fn local_addr(&self) -> Result<SocketAddr> {
        self.0.local()
    }

    /// The same listener once more.
    ///
    /// # Errors
    /// None.
    pub fn try_clone(&self) -> Result<Self> {
        Ok(Self(Arc::clone(&self.0)))
    }

    /// Waits for a connection: it, and the other side's address.
    ///
    /// # Errors
    /// The network's.
    pub fn accept(&self) -> Result<(TcpStream, SocketAddr)> {
        let (socket, from) = self.0.accept()?;
        Ok((TcpStream::of(socket), from))
    }

    /// All its connections.
    #[must_use]
    pub const fn incoming(&self) -> Incoming<'_> {
        Incoming(self)
    }

    /// The same, with the listener.
    #[must_use]
    pub const fn into_incoming(self) -> IntoIncoming {
        IntoIncoming(self)
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

    /// What went wrong since this was asked last.
    ///
    /// # Errors
    /// None.
    pub fn take_error(&self) -> Result<Option<Error>> {
        Ok(self.0.take_error())
    }

    /// Says whether [`TcpListener::accept`] answers at once, where it would wait.
    ///
    /// # Errors
    /// None.
    pub fn set_nonblocking(&self, wanted: bool) -> Result<()> {
        self.0.set_nonblocking(wanted);
        Ok(())
    }
}

impl Iterator for Incoming<'_> {
    type Item = Result<TcpStream>;

    fn next(&mut self) -> Option<Self::Item> {
        Some(self.0.accept().map(|(stream, _)| stream))
    }
}

impl Iterator for IntoIncoming {
    type Item = Result<TcpStream>;

    fn next(&mut self) -> Option<Self::Item> {
        Some(self.0.accept().map(|(stream, _)| stream))
    }
}

impl FusedIterator for Incoming<'_> {}
impl FusedIterator for IntoIncoming {}

impl Waits for TcpListener {
    fn queue(&self) -> &WaitQueue {
        self.0.queue()
    }
}

impl fmt::Debug for TcpListener {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut fields = formatter.debug_struct("TcpListener");
        if let Ok(address) = self.local_addr() {
            fields.field("addr", &address);
        }
        fields.finish()
    }
}
