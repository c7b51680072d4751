//! Peers that take all they can get: a machine with a small heap goes on, and serves others when they have gone.

use std::io::{Read, Write};
use std::net::{IpAddr, SocketAddr, TcpStream, UdpSocket};
use std::time::Duration;

use system_tests::{Machine, in_namespace, ip, scratch};

use crate::ADDRESSES;
use crate::server::{Server, variant};

/// Connections of each attack.
const MANY: usize = 20;
/// How long one may take to open, if anybody answers.
const SOON: Duration = Duration::from_secs(1);

/// One that may come to nothing.
fn open(address: IpAddr, port: u16) -> Option<TcpStream> {
    let stream = TcpStream::connect_timeout(&SocketAddr::new(address, port), SOON).ok()?;
    stream.set_nonblocking(true).unwrap();
    Some(stream)
}

/// Asks for much, and reads nothing of it.
fn ask(address: IpAddr) -> Vec<TcpStream> {
    let mut streams: Vec<_> = (0..MANY).filter_map(|_| open(address, 19)).collect();
    streams.iter_mut().for_each(|stream| _ = stream.write(&(1u64 << 30).to_be_bytes()));
    streams
}

/// Has much echoed, and reads nothing of it.
fn push(address: IpAddr) -> Vec<TcpStream> {
    let mut streams: Vec<_> = (0..MANY).filter_map(|_| open(address, 7)).collect();
    for _ in 0..10 {
        streams.iter_mut().for_each(|stream| _ = stream.write(&[0x55; 100_000]));
        std::thread::sleep(Duration::from_millis(20));
    }
    streams
}

/// Datagrams of all lengths, faster than anybody reads.
fn flood(address: IpAddr) {
    let any: IpAddr = if address.is_ipv4() { [0; 4].into() } else { [0; 16].into() };
    let socket = UdpSocket::bind((any, 0)).unwrap();
    socket.set_nonblocking(true).unwrap();
    for count in 0..5000 {
        let length = [1, 100, 1400, 60_000][count % 4];
        let _ = socket.send_to(&vec![0x66; length], (address, if count % 8 < 4 { 7 } else { 9 }));
    }
}

/// Whether a word comes back.
fn is_served(address: IpAddr) -> bool {
    let Ok(mut stream) = TcpStream::connect_timeout(&SocketAddr::new(address, 7), SOON) else { return false };
    stream.set_read_timeout(Some(SOON)).unwrap();
    let mut answer = [0; 5];
    stream.write_all(b"still").is_ok() && stream.read_exact(&mut answer).is_ok() && answer == *b"still"
}

/// Eight megabytes of heap, and peers that would fill it many times.
pub fn small_heap(machine: Machine) {
    let folder = scratch();
    variant(folder.path(), |wishes| wishes.replace("64M", "8M"));
    machine.build(folder.path());
    let path = folder.path().to_path_buf();
    in_namespace(move || {
        ip("tuntap add tap0 mode tap vnet_hdr").map_err(|error| format!("no TAP device: {error}"))?;
        ip("address add 10.0.2.2/24 dev tap0")?;
        ip("address add fd00::2/64 dev tap0 nodad")?;
        ip("link set tap0 up")?;
        let server = Server::start_in(machine, "tap:tap0", &path);
        let served = ADDRESSES.map(|address| {
            let address = address.parse().unwrap();
            let (asked, pushed) = (ask(address), push(address));
            flood(address);
            drop((asked, pushed));
            (0..120).any(|_| is_served(address))
        });
        // What it says of trouble comes first.
        server.end();
        assert_eq!(served, [true; 2], "nobody is served any more at one of {ADDRESSES:?}");
        Ok(())
    });
}
