//! No network.

use crate::{
    Error, Form, Membership, Readiness, Received, Receiving, Sending, Setting, Shutdown, Sink, Socket, SocketAddr,
    Sockets, Source, Waiting,
};

/// A network that has no sockets: no family is there, so there is nothing that the other calls could be about.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoSockets;

impl NoSockets {
    /// It.
    #[must_use]
    pub const fn new() -> Self {
        Self
    }
}

impl Sockets for NoSockets {
    fn exist(&self) -> bool {
        false
    }

    fn open(&self, _form: Form, _waiting: Waiting) -> Result<Socket, Error> {
        Err(Error::Family)
    }

    fn close(&self, _socket: Socket) {}

    fn bind(&self, _socket: Socket, _address: SocketAddr) -> Result<(), Error> {
        Err(Error::Stale)
    }

    fn listen(&self, _socket: Socket, _backlog: u32) -> Result<(), Error> {
        Err(Error::Stale)
    }

    fn accept(&self, _socket: Socket, _waiting: Waiting) -> Result<(Socket, SocketAddr), Error> {
        Err(Error::Stale)
    }

    fn connect(&self, _socket: Socket, _to: Option<SocketAddr>) -> Result<(), Error> {
        Err(Error::Stale)
    }

    fn send(&self, _socket: Socket, _source: &mut dyn Source, _sending: &Sending) -> Result<usize, Error> {
        Err(Error::Stale)
    }

    fn receive(
        &self,
        _socket: Socket,
        _sink: &mut dyn Sink,
        _receiving: Receiving,
        _received: &mut Received,
    ) -> Result<(), Error> {
        Err(Error::Stale)
    }

    fn shut_down(&self, _socket: Socket, _how: Shutdown) -> Result<(), Error> {
        Err(Error::Stale)
    }

    fn local(&self, _socket: Socket) -> Result<SocketAddr, Error> {
        Err(Error::Stale)
    }

    fn remote(&self, _socket: Socket) -> Result<SocketAddr, Error> {
        Err(Error::Stale)
    }

    fn readiness(&self, _socket: Socket) -> Readiness {
        Readiness::empty()
    }

    fn take_error(&self, _socket: Socket) -> Option<Error> {
        None
    }

    fn available(&self, _socket: Socket) -> usize {
        0
    }

    fn set(&self, _socket: Socket, _setting: Setting) -> Result<(), Error> {
        Err(Error::Stale)
    }

    fn get(&self, _socket: Socket, _setting: Setting) -> Result<Setting, Error> {
        Err(Error::Stale)
    }

    fn set_membership(&self, _socket: Socket, _group: Membership, _member: bool) -> Result<(), Error> {
        Err(Error::Stale)
    }
}
