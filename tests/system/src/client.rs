//! What Linux asks of the echo servers: bytes over TCP and UDP, whose digests are compared.

use std::io::{Read, Write};
use std::net::{IpAddr, Shutdown, SocketAddr, TcpStream, UdpSocket};
use std::time::{Duration, Instant};

use forwarder::client;
use forwarder::pattern::{self, Digest};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::skip;

/// How long the machine may take for one thing.
const PATIENCE: Duration = Duration::from_secs(60);
/// Bytes that are read or written at once.
const PIECE: usize = 64 << 10;

/// A connection to one of its ports.
pub fn connect(address: IpAddr, port: u16) -> TcpStream {
    let stream = TcpStream::connect_timeout(&SocketAddr::new(address, port), PATIENCE).expect("the server answers");
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream.set_write_timeout(Some(PATIENCE)).unwrap();
    stream
}

/// Reads so many bytes, and takes them in.
pub fn read_exactly(stream: &mut impl Read, mut length: usize, digest: &mut Digest) {
    let mut piece = vec![0; PIECE];
    while length > 0 {
        let piece = &mut piece[..length.min(PIECE)];
        stream.read_exact(piece).expect("the server answers");
        digest.add(piece);
        length -= piece.len();
    }
}

/// So many bytes there and back at once.
pub fn echo(address: IpAddr, length: u64) {
    let stream = connect(address, 7);
    std::thread::scope(|scope| {
        let sent = scope.spawn(|| client::write(&stream, length));
        let came = client::read(&stream).expect("the server answers");
        sent.join().unwrap().expect("the server takes bytes");
        assert_eq!(came, client::expected(length), "{length} bytes to {address}");
    });
}

/// As [`echo`], and the client ends its direction when all has come back, not before.
pub fn echo_and_end(address: IpAddr, length: u64) {
    let stream = connect(address, 7);
    std::thread::scope(|scope| {
        let sent = scope.spawn(|| client::write_open(&stream, length));
        let mut came = Digest::default();
        read_exactly(&mut &stream, length as usize, &mut came);
        sent.join().unwrap().expect("the server takes bytes");
        assert_eq!([came.length, came.finish()], client::expected(length), "{length} bytes to {address}");
    });
    stream.shutdown(Shutdown::Write).unwrap();
    assert_eq!(client::read(&stream).expect("the server ends too"), client::expected(0));
}

/// So many bytes to the machine: how long that takes.
pub fn send(address: IpAddr, length: u64) -> Duration {
    let since = Instant::now();
    let told = client::send(&connect(address, 90), length).expect("the server says what came");
    let taken = since.elapsed();
    assert_eq!(told, client::expected(length), "{length} bytes to {address}");
    taken
}

/// So many bytes from the machine: how long that takes.
pub fn receive(address: IpAddr, length: u64) -> Duration {
    let since = Instant::now();
    let came = client::receive(&connect(address, 19), length).expect("the server sends");
    let taken = since.elapsed();
    assert_eq!(came, client::expected(length), "{length} bytes from {address}");
    taken
}

/// Datagrams of these lengths there and back.
pub fn datagrams(address: IpAddr, lengths: &[usize]) {
    let any: IpAddr = if address.is_ipv4() { [0; 4].into() } else { [0; 16].into() };
    let socket = UdpSocket::bind((any, 0)).unwrap();
    socket.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
    socket.connect((address, 7)).unwrap();
    let mut answer = vec![0; 1 << 16];
    for &length in lengths {
        let mut payload = vec![0; length];
        pattern::fill(&mut payload, length as u64);
        // UDP may lose, so it is said again. An answer that comes later is no answer to the next.
        let came = (0..5).any(|_| {
            socket.send(&payload).expect("the network takes a datagram");
            loop {
                match socket.recv(&mut answer) {
                    Ok(count) if answer[..count] == payload => break true,
                    Ok(_) => {}
                    Err(_) => break false,
                }
            }
        });
        assert!(came, "a datagram of {length} bytes to {address}");
    }
}

/// Sees to it that so many descriptors may be open, by this process and those that it starts; or else skips the test.
///
/// # Panics
/// The limit cannot be set, which it can.
pub fn descriptors(wanted: u64) {
    let limit = getrlimit(Resource::Nofile);
    if limit.maximum.is_some_and(|most| most < wanted) {
        skip(format!("no more than {:?} open files", limit.maximum));
    }
    if limit.current.is_some_and(|now| now < wanted) {
        setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), ..limit }).unwrap();
    }
}

/// A word of its own there and back on each of them.
///
/// # Panics
/// One does not come back, or is another.
pub fn words(streams: &mut [TcpStream]) {
    let word = |number: usize| (number as u64).to_be_bytes();
    streams.iter_mut().enumerate().for_each(|(number, stream)| stream.write_all(&word(number)).unwrap());
    for (number, stream) in streams.iter_mut().enumerate() {
        let mut back = [0; 8];
        stream.read_exact(&mut back).expect("each connection is served");
        assert_eq!(back, word(number));
    }
}

/// When clients end their direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// With the last byte that they send, also before they are answered.
    AtOnce,
    /// Once they are answered.
    Answered,
}

/// One client's part of a mixed load: all services in turn, with other lengths each time.
fn turns(address: IpAddr, number: usize, until: Instant, ends: Ends) -> u64 {
    let mut turns = 0;
    while Instant::now() < until {
        let length = (turns * 7919 + number as u64 * 104_729) % 300_000 + 1;
        match (turns + number as u64) % 4 {
            0 | 1 if ends == Ends::Answered => echo_and_end(address, length),
            0 => echo(address, length),
            1 => _ = send(address, length),
            2 => _ = receive(address, length),
            _ => datagrams(address, &[length as usize % 8000, 1, 1472]),
        }
        turns += 1;
    }
    turns
}

/// All kinds of load at once, by so many clients, each for one of the addresses in turn: how many conversations there
/// were.
///
/// # Panics
/// A byte is not there, or is another.
#[must_use]
pub fn mixed(addresses: &[IpAddr], clients: usize, until: Instant, ends: Ends) -> u64 {
    let start = |number: usize| {
        let address = addresses[number % addresses.len()];
        std::thread::spawn(move || turns(address, number, until, ends))
    };
    let clients: Vec<_> = (0..clients).map(start).collect();
    clients.into_iter().map(|client| client.join().expect("every byte is there")).sum()
}
