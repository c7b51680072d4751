//! What Linux asks of the server: bytes over TCP and UDP, whose digests are compared.

use std::io::{Read, Write};
use std::net::{IpAddr, Shutdown, SocketAddr, TcpStream, UdpSocket};
use std::time::Duration;

use forwarder::pattern::{self, Digest};

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

/// Writes so many bytes of the pattern, and the stream's end; their digest.
fn write(mut stream: &TcpStream, length: u64) -> u64 {
    let mut digest = Digest::default();
    let mut piece = vec![0; PIECE];
    while digest.length < length {
        let count = (length - digest.length).min(PIECE as u64) as usize;
        pattern::fill(&mut piece[..count], digest.length / 8);
        digest.add(&piece[..count]);
        stream.write_all(&piece[..count]).expect("the server takes bytes");
    }
    stream.shutdown(Shutdown::Write).unwrap();
    digest.finish()
}

/// Reads to the end: how many bytes came, and their digest.
fn read(mut stream: &TcpStream) -> (u64, u64) {
    let mut digest = Digest::default();
    let mut piece = vec![0; PIECE];
    loop {
        match stream.read(&mut piece).expect("the server answers") {
            0 => return (digest.length, digest.finish()),
            count => digest.add(&piece[..count]),
        }
    }
}

/// Reads so many bytes, and takes them in.
pub fn read_exactly(stream: &mut TcpStream, mut length: usize, digest: &mut Digest) {
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
        let sent = scope.spawn(|| write(&stream, length));
        let (count, received) = read(&stream);
        assert_eq!((count, received), (length, sent.join().unwrap()), "{length} bytes to {address}");
    });
}

/// So many bytes to the machine.
pub fn send(address: IpAddr, length: u64) {
    let mut stream = connect(address, 90);
    let sent = write(&stream, length);
    let mut told = [0; 16];
    stream.read_exact(&mut told).expect("the server says what came");
    let told = [0, 8].map(|at| u64::from_be_bytes(told[at..][..8].try_into().unwrap()));
    assert_eq!(told, [length, sent], "{length} bytes to {address}");
}

/// So many bytes from the machine.
pub fn receive(address: IpAddr, length: u64) {
    let mut expected = Digest::default();
    let mut piece = vec![0; PIECE];
    while expected.length < length {
        let count = (length - expected.length).min(PIECE as u64) as usize;
        pattern::fill(&mut piece[..count], expected.length / 8);
        expected.add(&piece[..count]);
    }
    let mut stream = connect(address, 19);
    stream.write_all(&length.to_be_bytes()).unwrap();
    assert_eq!(read(&stream), (length, expected.finish()), "{length} bytes from {address}");
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
