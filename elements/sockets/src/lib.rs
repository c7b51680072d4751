//! The sockets of a network, as doors call them: the door for Linux' system calls, that for native programs.
//!
//! [`Sockets`] is filled by a stack of our own over network interfaces, or by the sockets of a host. No call of it
//! waits: what would have to wait answers [`Error::WouldBlock`], and the socket's wait queue is woken when that may
//! have changed. Sockets that never leave the machine (unix(7)) are another family, and none of these.
//!
//! [`NoSockets`] is the network of an image that has none.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod error;
mod form;
mod nobody;
mod none;
mod outside;
mod report;
mod setting;
mod stream;
#[cfg(test)]
mod tests;
mod transfer;

use alloc::sync::Arc;

use sync::WaitQueue;

pub use alloc::vec::Vec;
pub use core::net::{IpAddr, SocketAddr};
pub use error::{Error, Unreachable};
pub use form::{Family, Form, Membership, Shutdown, Socket};
pub use nobody::Nobody;
pub use none::NoSockets;
pub use outside::{Outside, Reach};
pub use report::{
    Assigned, Counts, Interface, IpCounts, Listed, Medium, NAME, Neighbour, Origin, Route, Standing, TcpCounts,
    Traffic, UdpCounts,
};
pub use setting::{Cutting, Setting};
pub use stream::{Phase, State, Stream};
pub use transfer::{Failed, Moments, Received, Receiving, Sending, Stamp};
pub use vfs::{Readiness, Sink, Source};

/// The queue of those who wait for a socket.
pub type Waiting = Arc<WaitQueue>;

declaration::contract! {
    sockets = "sockets of the Internet: streams, datagrams, raw ones";

    /// The sockets of a network. Each has one owner, who calls for it from any thread, and closes it.
    pub trait Sockets: Sync {
        /// Whether there are any. What asks this constant, and is for them alone, is in no image without them.
        fn exist(&self) -> bool {
            true
        }

        /// A new socket, and the queue of those who wait for it: it is woken when its readiness may have changed.
        fn open(&self, form: Form, waiting: Waiting) -> Result<Socket, Error>;

        /// The owner needs it no more. A connection ends by itself, as its settings say.
        fn close(&self, socket: Socket);

        /// Gives it an address; port 0 is a free one.
        fn bind(&self, socket: Socket, address: SocketAddr) -> Result<(), Error>;

        /// Takes connections from now on, of which so many may wait to be accepted. Again: that number changes.
        fn listen(&self, socket: Socket, backlog: u32) -> Result<(), Error>;

        /// The connection that has waited longest, which gets this queue, and the other side's address.
        fn accept(&self, socket: Socket, waiting: Waiting) -> Result<(Socket, SocketAddr), Error>;

        /// Connects a stream: [`Error::InProgress`] until [`Readiness::WRITABLE`], and then [`Sockets::take_error`]
        /// says how it ended. Of other sockets it is whom they send to and hear from; `None`: anybody.
        fn connect(&self, socket: Socket, to: Option<SocketAddr>) -> Result<(), Error>;

        /// Takes bytes from `source`: of a stream as many as there is room for, else the message that they are. How
        /// many. Neither a source nor a sink is asked with a lock held: the memory behind it may be elsewhere.
        fn send(&self, socket: Socket, source: &mut dyn Source, sending: &Sending) -> Result<usize, Error>;

        /// Gives `sink` what has come: of a stream as much as is there, else the next message; no bytes of a stream are
        /// its end. What the sink does not take of a stream stays. `received`, empty before, says what came.
        fn receive(
            &self,
            socket: Socket,
            sink: &mut dyn Sink,
            receiving: Receiving,
            received: &mut Received,
        ) -> Result<(), Error>;

        /// Ends one direction, or both.
        fn shut_down(&self, socket: Socket, how: Shutdown) -> Result<(), Error>;

        /// Its own address.
        fn local(&self, socket: Socket) -> Result<SocketAddr, Error>;

        /// The other side's.
        fn remote(&self, socket: Socket) -> Result<SocketAddr, Error>;

        /// What it is ready for.
        fn readiness(&self, socket: Socket) -> Readiness;

        /// Its error, once.
        fn take_error(&self, socket: Socket) -> Option<Error>;

        /// The oldest of the moments that it was asked to tell ([`Setting::Moments`]), once. While there is one, it is
        /// ready as with an error.
        fn take_stamp(&self, _socket: Socket) -> Option<Stamp> {
            None
        }

        /// Bytes that wait to be read: of a stream all, else those of the next message.
        fn available(&self, socket: Socket) -> usize;

        /// What is known about a connection.
        fn stream(&self, _socket: Socket) -> Result<Stream, Error> {
            Err(Error::Unsupported)
        }

        /// Bytes that wait to be sent, or for their acknowledgment (SIOCOUTQ).
        fn queued(&self, _socket: Socket) -> usize {
            0
        }

        /// Whether the next byte is the one behind the urgent one (sockatmark(3)).
        fn is_at_mark(&self, _socket: Socket) -> bool {
            false
        }

        /// Changes one of its settings.
        fn set(&self, socket: Socket, setting: Setting) -> Result<(), Error>;

        /// The value of a setting, whatever value the question has.
        fn get(&self, socket: Socket, setting: Setting) -> Result<Setting, Error>;

        /// Joins a group, or leaves it.
        fn set_membership(&self, socket: Socket, group: Membership, member: bool) -> Result<(), Error>;

        /// The server of names of this number, from 0 on, in the order in which they are asked.
        fn name_server(&self, _number: usize) -> Option<IpAddr> {
            None
        }

        /// The interface that has this address, by its number.
        fn interface_of(&self, _address: IpAddr) -> Option<u32> {
            None
        }

        /// The interfaces, by their numbers.
        fn interfaces(&self) -> Vec<Interface> {
            Vec::new()
        }

        /// Their addresses.
        fn addresses(&self) -> Vec<Assigned> {
            Vec::new()
        }

        /// The routes, in the order in which they are looked at.
        fn routes(&self) -> Vec<Route> {
            Vec::new()
        }

        /// The neighbours.
        fn neighbours(&self) -> Vec<Neighbour> {
            Vec::new()
        }

        /// All sockets, whoever owns them.
        fn all(&self) -> Vec<Listed> {
            Vec::new()
        }

        /// Counts since the start.
        fn counts(&self) -> Counts {
            Counts::default()
        }

        /// Whether somebody outside may miss something if the machine ends now: bytes, the end of a connection, a
        /// packet.
        fn owes(&self) -> bool {
            false
        }

        /// The program has ended: closes all sockets, as their owners would. How much has still to arrive before the
        /// machine may end, in bytes and ends. Again: what is left of that.
        fn close_all(&self) -> u64 {
            0
        }

        /// Takes in what has come by now, and wakes who waits for it. Whether anything came.
        fn look(&self) -> bool {
            false
        }

        /// Whether an interruption tells of all that has come and was not taken in, and of what comes next. Who is
        /// about to idle need not look then.
        fn is_told(&self) -> bool {
            false
        }
    }
}
