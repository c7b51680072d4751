//! Nobody outside: a machine whose packets are all its own.

use crate::{
    Error, Form, Outside, Reach, Readiness, Received, Receiving, Sending, Setting, Shutdown, Sink, Socket, SocketAddr,
    Source, Stream, Vec, Waiting,
};

/// No sockets of a host's.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nobody;

impl Nobody {
    /// It.
    #[must_use]
    pub const fn new() -> Self {
        Self
    }
}

impl Outside for Nobody {
    fn reach(&self) -> Reach {
        Reach::Nothing
    }

    fn open(&self, _form: Form, _waiting: Waiting) -> Result<Socket, Error> {
        Err(Error::Family)
    }

    fn claim(&self, _form: Form, _port: u16, _number: usize, _shares: bool, _waiting: Waiting) -> Option<Socket> {
        None
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

    fn stream(&self, _socket: Socket) -> Result<Stream, Error> {
        Err(Error::Stale)
    }

    fn queued(&self, _socket: Socket) -> usize {
        0
    }

    fn all(&self) -> Vec<(Socket, Form)> {
        Vec::new()
    }

    fn set(&self, _socket: Socket, _setting: Setting) -> Result<(), Error> {
        Err(Error::Stale)
    }

    fn get(&self, _socket: Socket, _setting: Setting) -> Result<Setting, Error> {
        Err(Error::Stale)
    }

    fn look(&self) -> bool {
        false
    }
}
