//! Raw and ping sockets: raw(7), icmp(7).
//!
//! A raw socket gets a copy of all packets of its protocol, and sends from the protocol's header on. A ping socket
//! sends echoes with an identifier of its own, and gets the answers to them. Sending with a header of IP of the
//! caller's own (`IP_HDRINCL`) is not here.

mod receive;
mod send;
mod socket;

use alloc::vec::Vec;
use core::net::{IpAddr, SocketAddr};

use packets::Bytes;

use crate::{
    complaint::Complaint,
    error::{Error, Failure},
    ip::Ip,
    parts::Parts,
    secret::{Random, Secret, Table},
    slab::{Handle, Slab},
};
pub use send::Sending;
use socket::{Kind, Socket};
pub use socket::{Received, Settings};

/// Sockets at once.
pub const SOCKETS: usize = 4096;
/// Bytes that wait in one, with what it costs to hold them: Linux' `rmem_default`.
pub const QUEUE: usize = 212_992;

/// All of them.
#[derive(Debug)]
pub struct Raw {
    sockets: Slab<Socket>,
    places: Table<Kind, Vec<Handle>>,
    events: Vec<Handle>,
    random: Random,
}

impl Raw {
    /// None yet.
    #[must_use]
    pub fn new(secret: &Secret) -> Self {
        let (places, random) = (secret.table("raw sockets"), secret.random("ping sockets"));
        Self { sockets: Slab::new(SOCKETS), places, events: Vec::new(), random }
    }

    /// A raw socket of IPv4 or IPv6 for a protocol.
    ///
    /// # Errors
    /// [`Error::Full`].
    pub fn open(&mut self, ipv4: bool, protocol: u8) -> Result<Handle, Error> {
        self.add(Kind::Raw(ipv4, protocol))
    }

    /// A ping socket: its identifier is free, and cannot be guessed.
    ///
    /// # Errors
    /// [`Error::Full`].
    pub fn open_ping(&mut self, ipv4: bool) -> Result<Handle, Error> {
        let kind = loop {
            let kind = Kind::Ping(ipv4, self.random.next() as u16);
            // There are at most a sixteenth as many sockets as identifiers, so this ends soon. 0 asks for any.
            if kind != Kind::Ping(ipv4, 0) && !self.places.contains_key(&kind) {
                break kind;
            }
        };
        self.add(kind)
    }

    /// Whether any wants copies of packets of a protocol.
    #[must_use]
    pub fn takes(&self, protocol: u8) -> bool {
        [true, false].into_iter().any(|ipv4| self.places.contains_key(&Kind::Raw(ipv4, protocol)))
    }

    fn add(&mut self, kind: Kind) -> Result<Handle, Error> {
        let handle = self.sockets.insert(Socket::new(kind)).ok_or(Error::Full)?;
        self.places.entry(kind).or_default().push(handle);
        Ok(handle)
    }

    /// close(2).
    ///
    /// # Errors
    /// [`Error::Stale`].
    pub fn close(&mut self, handle: Handle) -> Result<(), Error> {
        let socket = self.sockets.remove(handle).ok_or(Error::Stale)?;
        self.leave(socket.kind, handle);
        Ok(())
    }

    fn leave(&mut self, kind: Kind, handle: Handle) {
        if let Some(here) = self.places.get_mut(&kind) {
            here.retain(|other| *other != handle);
            if here.is_empty() {
                self.places.remove(&kind);
            }
        }
    }

    /// bind(2): an address of ours, and of a ping socket its identifier as the port.
    ///
    /// # Errors
    /// [`Error::Family`], [`Error::NotAvailable`], [`Error::InUse`], [`Error::Stale`].
    pub fn bind<P: Parts>(&mut self, ip: &Ip<P>, handle: Handle, address: SocketAddr) -> Result<(), Error> {
        let socket = self.socket_mut(handle)?;
        let own = address.ip();
        if own.is_ipv4() != socket.kind.is_ipv4() {
            return Err(Error::Family);
        }
        if !own.is_unspecified() && !own.is_multicast() && !ip.has_address(own) {
            return Err(Error::NotAvailable);
        }
        socket.local = (!own.is_unspecified()).then_some(own);
        match socket.kind {
            Kind::Ping(v4, now) if address.port() != 0 && address.port() != now => {
                self.rename(handle, Kind::Ping(v4, address.port()))
            }
            _ => Ok(()),
        }
    }

    fn rename(&mut self, handle: Handle, kind: Kind) -> Result<(), Error> {
        if self.places.contains_key(&kind) {
            return Err(Error::InUse);
        }
        let before = core::mem::replace(&mut self.socket_mut(handle)?.kind, kind);
        self.leave(before, handle);
        self.places.entry(kind).or_default().push(handle);
        Ok(())
    }

    /// connect(2): packets go there, and come from there only.
    ///
    /// # Errors
    /// [`Error::Family`], [`Error::Stale`].
    pub fn connect(&mut self, handle: Handle, to: Option<SocketAddr>) -> Result<(), Error> {
        let socket = self.socket_mut(handle)?;
        if to.is_some_and(|to| to.is_ipv4() != socket.kind.is_ipv4()) {
            return Err(Error::Family);
        }
        socket.remote = to;
        Ok(())
    }

    /// Its own address; the port of a ping socket is its identifier, that of a raw one its protocol.
    ///
    /// # Errors
    /// [`Error::Stale`].
    pub fn local(&self, handle: Handle) -> Result<SocketAddr, Error> {
        self.socket(handle).map(Socket::address)
    }

    /// To whom it is connected.
    ///
    /// # Errors
    /// [`Error::Stale`].
    pub fn remote(&self, handle: Handle) -> Result<Option<SocketAddr>, Error> {
        self.socket(handle).map(|socket| socket.remote)
    }

    /// Whether it is a raw one, and not for echoes.
    ///
    /// # Errors
    /// [`Error::Stale`].
    pub fn is_raw(&self, handle: Handle) -> Result<bool, Error> {
        self.socket(handle).map(|socket| matches!(socket.kind, Kind::Raw(..)))
    }

    /// Its options.
    ///
    /// # Errors
    /// [`Error::Stale`].
    pub fn settings(&self, handle: Handle) -> Result<&Settings, Error> {
        self.socket(handle).map(|socket| &socket.settings)
    }

    /// Its options, to be changed.
    ///
    /// # Errors
    /// [`Error::Stale`].
    pub fn settings_mut(&mut self, handle: Handle) -> Result<&mut Settings, Error> {
        self.socket_mut(handle).map(|socket| &mut socket.settings)
    }

    /// Packets that wait, and whether an error does.
    ///
    /// # Errors
    /// [`Error::Stale`].
    pub fn waiting(&self, handle: Handle) -> Result<(usize, bool), Error> {
        let told = |socket: &Socket| socket.error.is_some() || !socket.complaints.is_empty();
        self.socket(handle).map(|socket| (socket.queue.len(), told(socket)))
    }

    /// Packets that were lost for want of room.
    ///
    /// # Errors
    /// [`Error::Stale`].
    pub fn lost(&self, handle: Handle) -> Result<u64, Error> {
        self.socket(handle).map(|socket| socket.lost)
    }

    /// Its error, once: `SO_ERROR`.
    ///
    /// # Errors
    /// [`Error::Stale`].
    pub fn take_error(&mut self, handle: Handle) -> Result<Option<Failure>, Error> {
        self.socket_mut(handle).map(|socket| socket.error.take())
    }

    /// What became of a packet of its own: `MSG_ERRQUEUE`.
    ///
    /// # Errors
    /// [`Error::WouldBlock`], [`Error::Stale`].
    pub fn take_complaint(&mut self, handle: Handle) -> Result<Complaint, Error> {
        self.socket_mut(handle)?.complaints.take().ok_or(Error::WouldBlock)
    }

    /// Whether sockets have got something since then.
    #[must_use]
    pub const fn has_events(&self) -> bool {
        !self.events.is_empty()
    }

    /// Shows the sockets that have got something since the last call, each once.
    pub fn each_event(&mut self, mut show: impl FnMut(Handle)) {
        for handle in self.events.drain(..) {
            if let Some(socket) = self.sockets.get_mut(handle) {
                socket.told = false;
                show(handle);
            }
        }
    }

    /// Adds the sockets that have got something since the last call, each once.
    pub fn take_events(&mut self, to: &mut Vec<Handle>) {
        self.each_event(|handle| to.push(handle));
    }

    /// All of them, for `/proc/net/raw` and `icmp`: handle, family, protocol or nothing for a ping socket, own address,
    /// the other's, bytes that wait, packets lost.
    pub fn list(&self) -> impl Iterator<Item = (Handle, bool, Option<u8>, SocketAddr, Option<SocketAddr>, usize, u64)> {
        self.sockets.iter().map(|(handle, socket)| {
            let (v4, protocol) = match socket.kind {
                Kind::Raw(v4, protocol) => (v4, Some(protocol)),
                Kind::Ping(v4, _) => (v4, None),
            };
            (handle, v4, protocol, socket.address(), socket.remote, socket.queued, socket.lost)
        })
    }

    fn socket(&self, handle: Handle) -> Result<&Socket, Error> {
        self.sockets.get(handle).ok_or(Error::Stale)
    }

    fn socket_mut(&mut self, handle: Handle) -> Result<&mut Socket, Error> {
        self.sockets.get_mut(handle).ok_or(Error::Stale)
    }

    fn wake(&mut self, handle: Handle) {
        if let Some(socket) = self.sockets.get_mut(handle)
            && !core::mem::replace(&mut socket.told, true)
        {
            self.events.push(handle);
        }
    }
}

/// What a packet costs in a queue beside its bytes.
const OVERHEAD: usize = 256;

fn cost(received: &Received) -> usize {
    OVERHEAD + received.payload.iter().map(Bytes::len).sum::<usize>()
}

/// Whether a socket of this address takes what is for that one.
fn takes(local: Option<IpAddr>, to: IpAddr) -> bool {
    local.is_none_or(|local| local == to)
}
