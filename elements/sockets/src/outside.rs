//! Sockets of a host's, for what leaves a machine whose packets are not its own.

use alloc::vec::Vec;
use core::net::SocketAddr;

use crate::{
    Error, Form, Readiness, Received, Receiving, Sending, Setting, Shutdown, Sink, Socket, Source, Stream, Waiting,
};

/// What of a host's network a machine has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reach {
    /// Nothing.
    #[default]
    Nothing,
    /// What is outside, and ports that are published. The host's loopback is not.
    Published,
    /// All that the host has: its loopback and its ports.
    All,
}

declaration::contract! {
    outside = "sockets of a host's, for what leaves the machine";

    /// The host's sockets. No call waits; what would have to wait answers `sockets::Error::WouldBlock`.
    ///
    /// Whoever calls decides what goes to the host, and what stays inside. The provider refuses what is not the
    /// machine's to have: loopback of the host's, and ports that nobody has published.
    pub trait Outside: Sync {
        /// What there is.
        fn reach(&self) -> Reach;

        /// A new socket of the host's, and the queue of those who wait for it.
        fn open(&self, form: Form, waiting: Waiting) -> Result<Socket, Error>;

        /// The published sockets of this port of the machine's, for streams or datagrams, that nobody has: the one of
        /// this number. Whoever closes it gives it back. Listeners of one form that share the port (SO_REUSEPORT) each
        /// get it under a number of their own, and what comes is dealt to them.
        fn claim(
            &self,
            form: Form,
            port: u16,
            number: usize,
            shares: bool,
            waiting: Waiting,
        ) -> Option<Socket>;

        /// The owner needs it no more.
        fn close(&self, socket: Socket);

        /// Gives it one of the host's addresses, if the machine has all.
        fn bind(&self, socket: Socket, address: SocketAddr) -> Result<(), Error>;

        /// Takes connections from now on.
        fn listen(&self, socket: Socket, backlog: u32) -> Result<(), Error>;

        /// The connection that has waited longest.
        fn accept(
            &self,
            socket: Socket,
            waiting: Waiting,
        ) -> Result<(Socket, SocketAddr), Error>;

        /// As [`crate::Sockets::connect`].
        fn connect(&self, socket: Socket, to: Option<SocketAddr>) -> Result<(), Error>;

        /// As [`crate::Sockets::send`].
        fn send(
            &self,
            socket: Socket,
            source: &mut dyn Source,
            sending: &Sending,
        ) -> Result<usize, Error>;

        /// As [`crate::Sockets::receive`].
        fn receive(
            &self,
            socket: Socket,
            sink: &mut dyn Sink,
            receiving: Receiving,
            received: &mut Received,
        ) -> Result<(), Error>;

        /// Ends one direction, or both.
        fn shut_down(&self, socket: Socket, how: Shutdown) -> Result<(), Error>;

        /// Its own address, as the machine sees it.
        fn local(&self, socket: Socket) -> Result<SocketAddr, Error>;

        /// The other side's, as the machine sees it.
        fn remote(&self, socket: Socket) -> Result<SocketAddr, Error>;

        /// What it is ready for.
        fn readiness(&self, socket: Socket) -> Readiness;

        /// Its error, once.
        fn take_error(&self, socket: Socket) -> Option<Error>;

        /// Bytes that wait to be read.
        fn available(&self, socket: Socket) -> usize;

        /// What is known about a connection.
        fn stream(&self, socket: Socket) -> Result<Stream, Error>;

        /// Bytes that wait to be sent, or for their acknowledgment (SIOCOUTQ).
        fn queued(&self, socket: Socket) -> usize;

        /// Changes one of its settings.
        fn set(&self, socket: Socket, setting: Setting) -> Result<(), Error>;

        /// The value of a setting, whatever value the question has.
        fn get(&self, socket: Socket, setting: Setting) -> Result<Setting, Error>;

        /// All that somebody has, and what they are.
        fn all(&self) -> Vec<(Socket, Form)>;

        /// Takes in what has happened by now, and wakes who waits for it. Whether anything has.
        fn look(&self) -> bool;
    }
}
