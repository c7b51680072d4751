//! The client: it asks servers for one thing again and again, with so many requests under way, and looks at each
//! answer.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Ipv4Addr, Shutdown, TcpStream, UdpSocket};
use std::time::{Duration, Instant};

/// Where servers are.
pub const SERVER: Ipv4Addr = Ipv4Addr::new(10, 0, 2, 15);
/// The port of `apps/key-value`, and that of `apps/echo` (RFC 862).
const KEYS: u16 = 7171;
const ECHO: u16 = 7;
/// Bytes of an echo, and of a value.
const ECHOED: usize = 64;
const VALUE: usize = 32;
/// Keys that are asked for, and how many requests there are for one that sets a value.
const NAMES: usize = 1000;
const SETS: usize = 10;
/// How long an answer may take before it is asked for once more: UDP may lose.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long a machine may take to begin to serve.
const BEGIN: Duration = Duration::from_secs(300);

/// What is asked for, with so many requests under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Load {
    /// A key's value, or to set it, over UDP.
    Keys(usize),
    /// 64 bytes back in a datagram.
    Datagrams(usize),
    /// 64 bytes back on one of so many connections.
    Streams(usize),
    /// A connection that the server accepts, and closes once the client has.
    Connections,
}

impl Load {
    /// Its name in tables.
    pub fn name(self) -> String {
        match self {
            Self::Keys(window) => format!("key-value over UDP, {window} under way"),
            Self::Datagrams(window) => format!("UDP echo of 64 bytes, {window} under way"),
            Self::Streams(connections) => format!("TCP echo of 64 bytes, {connections} connections"),
            Self::Connections => "accept and close, with the connection's thread".into(),
        }
    }

    /// Asks so many times.
    pub fn ask(self, requests: usize) -> io::Result<()> {
        match self {
            Self::Keys(window) => datagrams(KEYS, requests, window, &request, &is_answer),
            Self::Datagrams(window) => {
                datagrams(ECHO, requests, window, &echoed, &|number, answer| answer == echoed(number))
            }
            Self::Streams(connections) => streams(requests, connections),
            Self::Connections => (0..requests).try_for_each(|_| connection()),
        }
    }

    /// Waits until it is served.
    pub fn wait(self) -> io::Result<()> {
        until_served(|| self.ask(1))
    }
}

/// Asks until the server answers.
pub fn until_served(ask: impl Fn() -> io::Result<()>) -> io::Result<()> {
    let since = Instant::now();
    loop {
        match ask() {
            Err(error) if since.elapsed() > BEGIN => return Err(error),
            Err(_) => std::thread::sleep(Duration::from_millis(100)),
            Ok(()) => return Ok(()),
        }
    }
}

/// A request number `number`: every tenth sets a value, and so do the first ones for each key.
fn request(number: usize) -> Vec<u8> {
    let key = format!("key-{:04}", number % NAMES);
    let sets = number < NAMES || number.is_multiple_of(SETS);
    let mut request = (number as u32).to_be_bytes().to_vec();
    request.extend([if sets { b's' } else { b'g' }, key.len() as u8]);
    request.extend(key.as_bytes());
    if sets {
        request.extend(value(number % NAMES));
    }
    request
}

fn value(name: usize) -> [u8; VALUE] {
    std::array::from_fn(|at| (at * 7 + name) as u8)
}

fn is_answer(number: usize, answer: &[u8]) -> bool {
    match answer.get(4) {
        Some(b'o') => answer.len() == 5,
        // A key that a lost request was to set, or another run has set, may be missing.
        Some(b'v') => answer[5..] == value(number % NAMES),
        _ => false,
    }
}

/// Bytes that say which they are.
fn echoed(number: usize) -> Vec<u8> {
    let mut bytes = vec![number as u8; ECHOED];
    bytes[..4].copy_from_slice(&(number as u32).to_be_bytes());
    bytes
}

/// Requests that begin with their number in four bytes, as their answers do.
fn datagrams(
    port: u16,
    requests: usize,
    window: usize,
    make: &dyn Fn(usize) -> Vec<u8>,
    is_right: &dyn Fn(usize, &[u8]) -> bool,
) -> io::Result<()> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0))?;
    socket.set_read_timeout(Some(PATIENCE))?;
    socket.connect((SERVER, port))?;
    let mut asked = vec![false; requests];
    let mut next = window.min(requests);
    (0..next).try_for_each(|number| socket.send(&make(number)).map(drop))?;
    let (mut answered, mut lost, mut buffer) = (0, 0, [0; 2048]);
    while answered < requests {
        match socket.recv(&mut buffer) {
            Ok(length) => {
                let number =
                    buffer[..length].first_chunk().map_or(usize::MAX, |word| u32::from_be_bytes(*word) as usize);
                let place = asked.get_mut(number).filter(|done| !**done);
                let Some(place) = place else { continue };
                if !is_right(number, &buffer[..length]) {
                    return Err(io::Error::new(ErrorKind::InvalidData, "a wrong answer"));
                }
                *place = true;
                answered += 1;
                if next < requests {
                    socket.send(&make(next))?;
                    next += 1;
                }
            }
            Err(error) if is_late(&error) && requests > 1 && lost < requests / 100 + window => {
                lost += 1;
                let missing = (0..next).filter(|&number| !asked[number]).take(window).collect::<Vec<_>>();
                missing.into_iter().try_for_each(|number| socket.send(&make(number)).map(drop))?;
            }
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

fn is_late(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut)
}

/// A connection to a port.
pub fn connect(port: u16) -> io::Result<TcpStream> {
    let stream = TcpStream::connect_timeout(&(SERVER, port).into(), PATIENCE)?;
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(10 * PATIENCE))?;
    Ok(stream)
}

/// One request under way on each connection.
fn streams(requests: usize, connections: usize) -> io::Result<()> {
    let mut streams = (0..connections).map(|_| connect(ECHO)).collect::<io::Result<Vec<_>>>()?;
    for first in (0..requests).step_by(connections) {
        let count = connections.min(requests - first);
        for (stream, number) in streams.iter_mut().zip(first..).take(count) {
            stream.write_all(&echoed(number))?;
        }
        for (stream, number) in streams.iter_mut().zip(first..).take(count) {
            let mut back = [0; ECHOED];
            stream.read_exact(&mut back)?;
            if back[..] != echoed(number) {
                return Err(io::Error::new(ErrorKind::InvalidData, "a wrong answer"));
            }
        }
    }
    Ok(())
}

/// A connection without a byte. That this end closes first has its port wait: a port of tens of thousands.
fn connection() -> io::Result<()> {
    let mut stream = connect(ECHO)?;
    stream.shutdown(Shutdown::Write)?;
    match stream.read(&mut [0])? {
        0 => Ok(()),
        _ => Err(io::Error::new(ErrorKind::InvalidData, "nothing was asked for")),
    }
}
