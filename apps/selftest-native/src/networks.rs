//! Sockets, within the machine.

use std::{
    io::{ErrorKind, Read, Write},
    net::{Ipv4Addr, Ipv6Addr, Shutdown, SocketAddr, TcpListener, TcpStream, ToSocketAddrs, UdpSocket},
    prelude::v1::*,
    thread,
    time::Duration,
};

use crate::tally::Tally;

const SOON: Duration = Duration::from_millis(20);

pub fn check(tally: &mut Tally) {
    addresses(tally);
    for any in ["127.0.0.1:0", "[::1]:0"] {
        echo(tally, any);
        much(tally, any);
        ends(tally, any);
        datagrams(tally, any);
    }
    impatience(tally);
    mistakes(tally);
}

fn addresses(tally: &mut Tally) {
    let one = |text: &str| text.to_socket_addrs().map(|mut all| all.next());
    same!(tally, one("1.2.3.4:5").unwrap(), Some(SocketAddr::from(([1, 2, 3, 4], 5))));
    same!(tally, one("[::1]:80").unwrap(), Some(SocketAddr::from((Ipv6Addr::LOCALHOST, 80))));
    same!(tally, ("10.0.0.1", 7).to_socket_addrs().unwrap().count(), 1);
    same!(tally, (Ipv4Addr::LOCALHOST, 9).to_socket_addrs().unwrap().last().unwrap().port(), 9);
    same!(tally, one("1.2.3.4").unwrap_err().kind(), ErrorKind::InvalidInput);
    same!(tally, one("1.2.3.4:70000").unwrap_err().kind(), ErrorKind::InvalidInput);
    let none: &[SocketAddr] = &[];
    same!(tally, TcpStream::connect(none).unwrap_err().kind(), ErrorKind::InvalidInput);
}

/// A listener, and both ends of a connection to it.
fn joined(any: &str) -> (TcpListener, TcpStream, TcpStream) {
    let listener = TcpListener::bind(any).unwrap();
    let near = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    let (far, from) = listener.accept().unwrap();
    assert_eq!(from, near.local_addr().unwrap());
    (listener, near, far)
}

fn echo(tally: &mut Tally, any: &str) {
    let (listener, mut near, mut far) = joined(any);
    same!(tally, near.peer_addr().unwrap(), listener.local_addr().unwrap());
    same!(tally, far.local_addr().unwrap(), listener.local_addr().unwrap());
    let server = thread::spawn(move || {
        let mut bytes = [0; 16];
        while let Ok(count @ 1..) = far.read(&mut bytes) {
            far.write_all(&bytes[..count]).unwrap();
        }
        far.local_addr().is_ok()
    });
    let mut bytes = [0; 5];
    for word in [b"first", b"again"] {
        near.write_all(word).unwrap();
        same!(tally, near.peek(&mut bytes[..3]).unwrap(), 3);
        near.read_exact(&mut bytes).unwrap();
        same!(tally, &bytes, word);
    }
    near.shutdown(Shutdown::Write).unwrap();
    same!(tally, near.read(&mut bytes).unwrap(), 0);
    same!(tally, near.write(b"more").unwrap_err().kind(), ErrorKind::BrokenPipe);
    holds!(tally, server.join().unwrap());
}

fn much(tally: &mut Tally, any: &str) {
    const BYTES: usize = 700_000;
    let (_listener, near, mut far) = joined(any);
    near.set_nodelay(true).unwrap();
    holds!(tally, near.nodelay().unwrap());
    let mut copy = near.try_clone().unwrap();
    drop(near);
    let writer = thread::spawn(move || {
        let bytes: Vec<u8> = (0..BYTES).map(|index| (index * 7 >> 3) as u8).collect();
        copy.write_all(&bytes).unwrap();
    });
    let mut bytes = Vec::new();
    far.read_to_end(&mut bytes).unwrap();
    writer.join().unwrap();
    same!(tally, bytes.len(), BYTES);
    holds!(tally, bytes.iter().enumerate().all(|(index, &byte)| byte == (index * 7 >> 3) as u8));
}

fn ends(tally: &mut Tally, any: &str) {
    let (listener, near, mut far) = joined(any);
    let address = listener.local_addr().unwrap();
    // Many at once, of which each is told apart by what it says.
    let clients = thread::spawn(move || {
        for number in 0..20_u8 {
            TcpStream::connect(address).unwrap().write_all(&[number]).unwrap();
        }
    });
    let sum: u32 = listener
        .incoming()
        .take(20)
        .map(|stream| {
            let mut byte = [0];
            stream.unwrap().read_exact(&mut byte).unwrap();
            u32::from(byte[0])
        })
        .sum();
    clients.join().unwrap();
    same!(tally, sum, (0..20).sum());
    drop(listener);
    same!(tally, TcpStream::connect(address).unwrap_err().kind(), ErrorKind::ConnectionRefused);
    // What is not read is lost: the other side is told.
    far.write_all(b"unread").unwrap();
    let mut bytes = [0; 1];
    same!(tally, near.peek(&mut bytes).unwrap(), 1);
    drop(near);
    let error = loop {
        match far.read(&mut bytes) {
            Ok(0) => break None,
            Ok(_) => {}
            Err(error) => break Some(error.kind()),
        }
    };
    same!(tally, error, Some(ErrorKind::ConnectionReset));
}

fn datagrams(tally: &mut Tally, any: &str) {
    let one = UdpSocket::bind(any).unwrap();
    let two = UdpSocket::bind(any).unwrap();
    let (first, second) = (one.local_addr().unwrap(), two.local_addr().unwrap());
    let mut bytes = Vec::from([0; 1]);
    bytes.resize(65_536, 0);
    for length in [0, 1, 100, 9_000, 65_000] {
        let message: Vec<u8> = (0..length).map(|index| (index * 3) as u8).collect();
        same!(tally, one.send_to(&message, second).unwrap(), length);
        same!(tally, two.peek_from(&mut bytes).unwrap(), (length, first));
        same!(tally, two.recv_from(&mut bytes).unwrap(), (length, first));
        holds!(tally, bytes[..length] == message);
    }
    two.send_to(b"too long for that", first).unwrap();
    same!(tally, one.recv(&mut bytes[..3]).unwrap(), 3);
    two.connect(first).unwrap();
    same!(tally, two.peer_addr().unwrap(), first);
    two.send(b"connected").unwrap();
    same!(tally, one.recv_from(&mut bytes).unwrap(), (9, second));
    drop(one);
    // Nobody is there any more: the next call is told.
    two.send(b"nobody").unwrap();
    same!(tally, two.recv(&mut bytes).unwrap_err().kind(), ErrorKind::ConnectionRefused);
}

fn impatience(tally: &mut Tally) {
    let (listener, mut near, far) = joined("127.0.0.1:0");
    let mut bytes = [0; 4];
    near.set_read_timeout(Some(SOON)).unwrap();
    same!(tally, near.read_timeout().unwrap(), Some(SOON));
    same!(tally, near.read(&mut bytes).unwrap_err().kind(), ErrorKind::WouldBlock);
    same!(tally, near.set_read_timeout(Some(Duration::ZERO)).unwrap_err().kind(), ErrorKind::InvalidInput);
    near.set_read_timeout(None).unwrap();
    near.set_nonblocking(true).unwrap();
    same!(tally, near.read(&mut bytes).unwrap_err().kind(), ErrorKind::WouldBlock);
    listener.set_nonblocking(true).unwrap();
    same!(tally, listener.accept().unwrap_err().kind(), ErrorKind::WouldBlock);
    (&far).write_all(b"late").unwrap();
    near.set_nonblocking(false).unwrap();
    near.read_exact(&mut bytes).unwrap();
    same!(tally, &bytes, b"late");
    // Nobody reads: there is an end to what is kept.
    near.set_write_timeout(Some(SOON)).unwrap();
    let piece = Vec::from([0; 1024]);
    let kept = (0..10_000).take_while(|_| near.write(&piece).is_ok()).count();
    holds!(tally, (1..10_000).contains(&kept));
    holds!(tally, near.take_error().unwrap().is_none());
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    socket.set_read_timeout(Some(SOON)).unwrap();
    same!(tally, socket.recv(&mut bytes).unwrap_err().kind(), ErrorKind::WouldBlock);
}

fn mistakes(tally: &mut Tally) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    same!(tally, TcpListener::bind(address).unwrap_err().kind(), ErrorKind::AddrInUse);
    same!(tally, TcpListener::bind("192.0.2.7:0").unwrap_err().kind(), ErrorKind::AddrNotAvailable);
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    same!(tally, UdpSocket::bind(socket.local_addr().unwrap()).unwrap_err().kind(), ErrorKind::AddrInUse);
    same!(tally, socket.send(b"to whom").unwrap_err().raw_os_error(), Some(89));
    same!(tally, socket.peer_addr().unwrap_err().kind(), ErrorKind::NotConnected);
    same!(tally, socket.send_to(&Vec::from_iter(std::iter::repeat_n(0, 65_508)), address).unwrap_err().raw_os_error(), Some(90));
    same!(tally, socket.ttl().unwrap(), 64);
    socket.set_ttl(3).unwrap();
    same!(tally, socket.ttl().unwrap(), 3);
    holds!(tally, format!("{listener:?}").contains(&format!("{address}")));
}
