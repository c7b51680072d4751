//! What sockets tell, and their options: getsockopt(2), poll(2), getsockname(2).

use alloc::sync::Arc;
use core::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use packets::Instant;

use super::{Tcp, places::Socket};
use crate::{
    Error, Family, Handle, Info, Network, Phase, Readiness, Settings, Stamp, State, congestion::Congestion,
    connection::Marks,
};

/// Of a socket without a connection.
const NOBODY: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::UNSPECIFIED), 0);

impl<C: Congestion> Tcp<C> {
    /// Its options.
    ///
    /// # Errors
    /// [`Error::Stale`].
    pub fn settings(&self, handle: Handle) -> Result<&Settings, Error> {
        Ok(self.places.socket(handle)?.settings())
    }

    /// Changes its options.
    ///
    /// # Errors
    /// [`Error::Stale`].
    pub fn change_settings(
        &mut self,
        now: Instant,
        network: &mut dyn Network,
        handle: Handle,
        change: impl FnOnce(&mut Settings),
    ) -> Result<(), Error> {
        let socket = self.places.socket_mut(handle)?;
        let lenient = socket.settings().reuse_address;
        let settings = Arc::make_mut(socket.settings_mut());
        change(settings);
        let changed = settings.reuse_address;
        if let Socket::Connection(connection) = socket {
            let linked = connection.is(Marks::LINKED);
            let port = connection.tuple.local_port;
            if linked && lenient != changed {
                self.places.ports.count(port, changed, true);
                self.places.ports.count(port, lenient, false);
            }
            self.with(now, network, handle.index, |connection, cx| connection.settings_changed(cx));
        }
        Ok(())
    }

    /// Changes what sockets begin with that are opened later.
    pub fn change_defaults(&mut self, change: impl FnOnce(&mut Settings)) {
        change(Arc::make_mut(&mut self.shared.settings));
    }

    /// What it is ready for. Who learns that there is no room is told when there is.
    ///
    /// # Errors
    /// [`Error::Stale`].
    pub fn readiness(&mut self, handle: Handle) -> Result<Readiness, Error> {
        Ok(match self.places.socket_mut(handle)? {
            // As Linux: a socket that was never connected hangs up.
            Socket::Idle(_) => Readiness::WRITABLE | Readiness::HANGUP,
            Socket::Listener(listener) if listener.queue.is_empty() => Readiness::empty(),
            Socket::Listener(_) => Readiness::READABLE,
            Socket::Connection(connection) => connection.asked_readiness(&self.shared.limits),
        })
    }

    /// Its error, once: `SO_ERROR`.
    ///
    /// # Errors
    /// [`Error::Stale`].
    pub fn take_error(&mut self, handle: Handle) -> Result<Option<Error>, Error> {
        Ok(match self.places.socket_mut(handle)? {
            Socket::Idle(idle) => idle.error.take(),
            Socket::Listener(listener) => listener.error.take(),
            Socket::Connection(connection) => connection.error.take(),
        })
    }

    /// The oldest of the moments that it wants to be told ([`Settings::moments`]), once: `MSG_ERRQUEUE`.
    ///
    /// # Errors
    /// [`Error::Stale`].
    pub fn take_stamp(&mut self, handle: Handle) -> Result<Option<Stamp>, Error> {
        Ok(match self.places.socket_mut(handle)? {
            Socket::Connection(connection) => connection.take_stamp(),
            _ => None,
        })
    }

    /// Its own address: getsockname(2). One of IPv4 is told as such, whatever the socket's family.
    ///
    /// # Errors
    /// [`Error::Stale`].
    pub fn local(&self, handle: Handle) -> Result<SocketAddr, Error> {
        Ok(match self.places.socket(handle)? {
            Socket::Idle(idle) => match idle.bound {
                Some((address, port)) => SocketAddr::new(address.to_canonical(), port),
                None if idle.family == Family::V6 => SocketAddr::new(Ipv6Addr::UNSPECIFIED.into(), 0),
                None => NOBODY,
            },
            Socket::Listener(listener) => SocketAddr::new(listener.address.to_canonical(), listener.port),
            Socket::Connection(connection) => SocketAddr::new(connection.tuple.local(), connection.tuple.local_port),
        })
    }

    /// The other's: getpeername(2).
    ///
    /// # Errors
    /// [`Error::NotConnected`].
    pub fn remote(&self, handle: Handle) -> Result<SocketAddr, Error> {
        let connection = self.connected(handle)?;
        if !connection.is(Marks::OPENED) || connection.state == State::Closed {
            return Err(Error::NotConnected);
        }
        Ok(SocketAddr::new(connection.tuple.remote(), connection.tuple.remote_port))
    }

    /// All sockets, for `/proc/net/tcp`.
    pub fn handles(&self) -> impl Iterator<Item = Handle> {
        self.places.all.sockets.iter().map(Socket::handle)
    }

    /// What has still to arrive of connections that their owners have ended: bytes, and each end as one.
    #[must_use]
    pub fn leaving(&self) -> u64 {
        let leaving = |socket: &Socket<C>| match socket {
            Socket::Connection(connection) => connection.leaving(),
            _ => 0,
        };
        self.places.all.sockets.iter().map(leaving).sum()
    }

    /// All that `TCP_INFO` tells.
    ///
    /// # Errors
    /// [`Error::Stale`].
    pub fn info(&self, handle: Handle) -> Result<Info, Error> {
        let mut info = match self.places.socket(handle)? {
            Socket::Connection(connection) => return Ok(connection.info()),
            _ => Info { phase: Phase::Open, ..Info::of_nobody(NOBODY) },
        };
        info.local = self.local(handle)?;
        if let Socket::Listener(listener) = self.places.socket(handle)? {
            info.state = State::Listen;
            info.readable = listener.queue.len() as u32;
            info.queued = listener.backlog;
        }
        Ok(info)
    }
}
