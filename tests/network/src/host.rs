//! What the simulator wants of a stack: frames in and out, a clock from outside, and sockets by small methods.

use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use packets::Instant;

/// A socket of one host; hosts number them as they like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Socket(pub usize);

/// Why a call did nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// Not now: [`Host::ready`] says when to ask again.
    WouldBlock,
    /// Nobody listens there.
    Refused,
    /// The other end, or this one, ended it at once; or it is no connection any more.
    Reset,
    /// The other end did not answer for too long.
    TimedOut,
    /// The stack has no room, or does not know how.
    Other,
}

/// How one socket differs from the usual. A stack takes those that it knows.
#[derive(Clone, Copy, Debug, Default)]
pub struct SocketOptions {
    /// Short segments are not kept back.
    pub no_delay: bool,
    /// Asks an idle peer whether it is there, so often.
    pub keep_alive: Option<Duration>,
    /// Bytes that may wait to be read.
    pub receive_buffer: Option<usize>,
    /// Bytes that may wait for acknowledgments.
    pub send_buffer: Option<usize>,
    /// NewReno in the place of CUBIC.
    pub reno: bool,
}

/// What a stack holds. Each number is back at its start when all sockets are closed and their waits are over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Held {
    /// Sockets, connections and waits of all kinds, listeners apart.
    pub sockets: usize,
    /// Bytes of payload.
    pub bytes: usize,
    /// Deadlines to come that belong to sockets.
    pub timers: usize,
}

/// A stack with one Ethernet interface.
pub trait Host {
    /// The stack's name.
    fn name(&self) -> &'static str;

    /// Gives it a burst of frames that have come.
    fn receive(&mut self, now: Instant, frames: &mut Vec<Vec<u8>>);

    /// Lets it do what is due.
    fn poll(&mut self, now: Instant);

    /// Takes the frames that it sends.
    fn take_frames(&mut self, to: &mut Vec<Vec<u8>>);

    /// When it wants to be polled again, if ever.
    fn deadline(&mut self, now: Instant) -> Option<Instant>;

    /// Whether it learns from ICMP that packets must be shorter. Paths to others keep their length.
    fn finds_path_mtu(&self) -> bool;

    /// Listens at a port, on all addresses. What is accepted has these options.
    fn listen(&mut self, port: u16, options: SocketOptions);

    /// Listens no longer. What was not accepted is reset.
    fn listen_no_longer(&mut self, now: Instant, port: u16);

    /// A connection that has come to a port, and whose it is.
    fn accept(&mut self, now: Instant, port: u16) -> Option<(Socket, SocketAddr)>;

    /// Begins to connect. The port on this side comes with the socket.
    fn connect(&mut self, now: Instant, to: SocketAddr, options: SocketOptions) -> Result<(Socket, u16), Trouble>;

    /// Whether it is connected; [`Trouble::WouldBlock`] while nobody knows.
    fn connected(&mut self, socket: Socket) -> Result<(), Trouble>;

    /// Takes bytes of these, at least one.
    fn write(&mut self, now: Instant, socket: Socket, bytes: &[u8]) -> Result<usize, Trouble>;

    /// Gives bytes, or 0 at the end of the stream.
    fn read(&mut self, now: Instant, socket: Socket, to: &mut [u8]) -> Result<usize, Trouble>;

    /// Ends this side's stream; the other one goes on.
    fn shut_down(&mut self, now: Instant, socket: Socket);

    /// Gives the socket back. What was written is still sent; what was not read makes it a reset.
    fn close(&mut self, now: Instant, socket: Socket);

    /// Gives the socket back, and resets the connection.
    fn abort(&mut self, now: Instant, socket: Socket);

    /// Adds the sockets whose state may have changed since the last call, each once; `false` if it does not tell, so
    /// that all are to be asked. Listeners are named by [`Ready::Listener`].
    fn ready(&mut self, to: &mut Vec<Ready>) -> bool;

    /// What it holds.
    fn held(&self) -> Held;

    /// Whether the next move is its own: something is sent and not acknowledged, or its window is closed.
    fn owes(&self) -> bool;

    /// A line about one socket, for people.
    fn describe(&self, socket: Socket) -> String;
}

/// Who may have something to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ready {
    /// The listener at a port.
    Listener(u16),
    /// A connection.
    Socket(Socket),
}

impl Ready {
    /// The connection, if it is one.
    #[must_use]
    pub const fn socket(self) -> Option<Socket> {
        if let Self::Socket(socket) = self { Some(socket) } else { None }
    }
}

/// The place of a host: 0 or 1 of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Which one.
    pub side: usize,
    /// Bytes of an IP packet on its interface.
    pub mtu: usize,
}

impl Place {
    /// The hardware's address.
    #[must_use]
    pub const fn hardware(self) -> [u8; 6] {
        [2, 0, 0, 0, 0, self.side as u8 + 1]
    }

    /// The address in a network of 24 bits.
    #[must_use]
    pub fn ipv4(self) -> IpAddr {
        [192, 0, 2, self.side as u8 + 1].into()
    }

    /// The address in a network of 64 bits.
    #[must_use]
    pub fn ipv6(self) -> IpAddr {
        [0xfd00, 0, 0, 0, 0, 0, 0, self.side as u16 + 1].into()
    }
}
