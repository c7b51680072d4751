//! Names of machines: the sockets of a lookup, whose rules are `resolver`'s.

use core::{
    net::{IpAddr, SocketAddr},
    time::Duration,
};

use contracts::sockets_element::Receiving;
use resolver::{Error, Families, LONGEST_DATAGRAM, Lookup, Name, PORT, Step};

use super::{
    Shutdown,
    socket::{Direction, Socket},
};
use crate::{
    io::{self, ErrorKind, Message},
    vec,
    vec::Vec,
};

const NOT_A_NAME: Message = Message { kind: ErrorKind::InvalidInput, text: "not a name of a machine" };
const NO_SERVERS: Message =
    Message { kind: ErrorKind::Unsupported, text: "names are not looked up: the network has no server for them" };
const NO_SUCH_NAME: Message = Message { kind: ErrorKind::NotFound, text: "the name is not known" };
const NO_ADDRESS: Message = Message { kind: ErrorKind::NotFound, text: "the name has no address" };
const FAILED: Message = Message { kind: ErrorKind::Other, text: "the servers of names cannot answer" };
const TIMED_OUT: Message = Message { kind: ErrorKind::TimedOut, text: "the servers of names do not answer" };

/// Bytes of the longest answer that is taken over a stream: all that is looked at fits.
const LONGEST_ANSWER: usize = 16 << 10;
/// How long a stream may take in all.
const STREAM: Duration = Duration::from_secs(4);

/// The addresses of a name: one at least.
pub fn look_up(name: &str) -> io::Result<Vec<IpAddr>> {
    let name = Name::new(name).map_err(of)?;
    let servers: Vec<IpAddr> = (0..).map_while(contracts::sockets::name_server).collect();
    let (mut lookup, mut socket) = (Lookup::new(name, Families::Both, &servers), None);
    loop {
        match lookup.poll(now(), &mut random) {
            Step::Ask(server, messages) => {
                // The old one first: its port is free again, and nobody hears at it.
                drop(socket.take());
                socket = ask(server, &messages).ok();
                if socket.is_none() {
                    lookup.failed();
                }
            }
            Step::AskByStream(server, message) => match ask_by_stream(server, &message) {
                Ok(answer) => lookup.receive(&answer),
                Err(_) => lookup.failed(),
            },
            Step::Wait(until) => hear(&mut lookup, socket.as_ref(), until.since(now())),
            Step::Over(result) => return result.map_err(of),
        }
    }
}

fn now() -> packets::Instant {
    packets::Instant::from_nanos(contracts::clock::monotonic())
}

fn random() -> u16 {
    let mut bytes = [0; 2];
    contracts::entropy::fill(&mut bytes);
    u16::from_ne_bytes(bytes)
}

/// A socket of a random port, from which a server has been asked, and which hears that server alone.
fn ask(server: IpAddr, messages: &[Vec<u8>]) -> io::Result<Socket> {
    let server = SocketAddr::new(server, PORT);
    let socket = Socket::datagrams(server)?;
    socket.associate(server)?;
    for message in messages {
        socket.send(message, None)?;
    }
    Ok(socket)
}

/// Waits so long for a message.
fn hear(lookup: &mut Lookup, socket: Option<&Socket>, longest: Duration) {
    let Some(socket) = socket else { return lookup.failed() };
    let mut bytes = [0; LONGEST_DATAGRAM];
    let heard = socket
        .set_patience(Direction::Read, Some(longest.max(Duration::from_nanos(1))))
        .and_then(|()| socket.receive(&mut bytes, Receiving::empty()));
    match heard {
        Ok(received) => lookup.receive(&bytes[..received.count]),
        // What is late, the lookup sees by itself.
        Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
        // Nobody is there: ICMP has told.
        Err(_) => lookup.failed(),
    }
}

/// RFC 7766, 8: a message behind its length, both ways.
fn ask_by_stream(server: IpAddr, message: &[u8]) -> io::Result<Vec<u8>> {
    let (server, end) = (SocketAddr::new(server, PORT), now() + STREAM);
    let socket = Socket::stream(server)?;
    socket.connect(server, Some(STREAM))?;
    let mut rest = message;
    while !rest.is_empty() {
        rest = &rest[socket.send(rest, None)?..];
    }
    let mut length = [0; 2];
    fill(&socket, &mut length, end)?;
    let length = usize::from(u16::from_be_bytes(length));
    if length > LONGEST_ANSWER {
        return Err(FAILED.error());
    }
    let mut answer = vec![0; length];
    fill(&socket, &mut answer, end)?;
    let _ = socket.shut_down(Shutdown::Both);
    Ok(answer)
}

/// Reads so many bytes before a moment.
fn fill(socket: &Socket, mut bytes: &mut [u8], end: packets::Instant) -> io::Result<()> {
    while !bytes.is_empty() {
        let left = end.since(now());
        if left.is_zero() {
            return Err(TIMED_OUT.error());
        }
        socket.set_patience(Direction::Read, Some(left))?;
        match socket.receive(bytes, Receiving::empty())?.count {
            0 => return Err(FAILED.error()),
            count => bytes = &mut bytes[count..],
        }
    }
    Ok(())
}

fn of(error: Error) -> io::Error {
    match error {
        Error::NotAName => &NOT_A_NAME,
        Error::NoServers => &NO_SERVERS,
        Error::NoSuchName => &NO_SUCH_NAME,
        Error::NoAddress => &NO_ADDRESS,
        Error::Failed => &FAILED,
        Error::TimedOut => &TIMED_OUT,
    }
    .error()
}
