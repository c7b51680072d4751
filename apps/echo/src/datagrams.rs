//! Datagrams: a thread for each port.

use std::{
    io::Result,
    net::{Ipv6Addr, UdpSocket},
    prelude::v1::*,
    thread,
};

/// More than a datagram can have (RFC 768).
const LONGEST: usize = 1 << 16;

/// Takes the datagrams of a port, in both families, and sends them back where `back` says so.
pub fn serve(port: u16, back: bool) -> Result<()> {
    let socket = UdpSocket::bind((Ipv6Addr::UNSPECIFIED, port))?;
    let take = move || {
        let mut buffer = vec![0; LONGEST];
        loop {
            // What went wrong with an answer before is told here, and is no reason to stop.
            let Ok((length, from)) = socket.recv_from(&mut buffer) else { continue };
            if back {
                let _ = socket.send_to(&buffer[..length], from);
            }
        }
    };
    thread::Builder::new().spawn(take).map(drop)
}
