//! Clients that take their time: a byte now and then, or none at all.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::thread::sleep;
use std::time::Instant;

use rustix::net::{AddressFamily, SocketType, bind, connect, socket};
use system_tests::ip;

use crate::served::{PORT, Served};
use crate::{LIMIT, Size};

/// Clients that read slowly: what they have asked for waits for them in the machine's memory.
const READERS: usize = 8;

/// Some send a request a byte at a time and over again, some read an answer so. Others are answered meanwhile.
pub fn clients(served: &Served, size: &Size) {
    let mut senders: Vec<_> = (0..size.clients).map(|_| served.connect()).collect();
    let mut readers: Vec<_> = (0..READERS).map(|_| served.connect()).collect();
    readers.iter().for_each(|stream| served.send(stream, served.kind.much.0.as_bytes()));
    let request = (served.kind.request)(7);
    let (mut place, until) = (0, Instant::now() + size.slow);
    while Instant::now() < until {
        // One that was cut off has been told so: what it sends then is not the server's matter.
        let byte = &request[place % request.len()..][..1];
        senders.iter_mut().for_each(|stream| _ = stream.get_mut().write(byte));
        for stream in &mut readers {
            stream.get_mut().read_exact(&mut [0]).expect("a slow reader gets its bytes");
        }
        served.ask(&mut served.connect(), place as u64);
        place += 1;
        sleep(size.pause);
    }
}

/// Where clients vanish from.
const GOING: &str = "192.0.2.77/32";

/// How often the host sends its end to one who has gone, before it gives that one up: some seconds, not a quarter of an
/// hour (tcp(7)). Until then QEMU's own network keeps the connection.
const RETRIES: &str = "/proc/sys/net/ipv4/tcp_retries2";

/// Clients that connect and say nothing, and some that have gone without a word after a part of a request.
pub fn half_open(served: &Served, size: &Size) {
    std::fs::write(RETRIES, "4").unwrap();
    let silent: Vec<_> = (0..size.clients).map(|_| served.connect()).collect();
    ip(&format!("address add {GOING} dev lo")).unwrap();
    let gone: Vec<_> = (0..size.clients).map(|_| from_nowhere()).collect();
    let request = (served.kind.request)(7);
    gone.iter().for_each(|mut stream| stream.write_all(&request[..request.len() / 2]).unwrap());
    ip(&format!("address del {GOING} dev lo")).unwrap();
    let until = Instant::now() + size.slow;
    while Instant::now() < until {
        served.ask(&mut served.connect(), 3);
        sleep(size.pause);
    }
    // It cuts them off.
    let mut first = silent[0].get_ref();
    first.set_read_timeout(Some(LIMIT)).unwrap();
    match first.read(&mut [0; 100]) {
        Ok(_) => {}
        Err(error) if error.kind() == ErrorKind::ConnectionReset => {}
        Err(error) => panic!("a client that says nothing: {error}"),
    }
}

fn from_nowhere() -> TcpStream {
    let from: std::net::SocketAddr = ([192, 0, 2, 77], 0).into();
    let socket = socket(AddressFamily::INET, SocketType::STREAM, None).unwrap();
    bind(&socket, &from).unwrap();
    connect(&socket, &std::net::SocketAddr::from(([127, 0, 0, 1], PORT))).unwrap();
    socket.into()
}
