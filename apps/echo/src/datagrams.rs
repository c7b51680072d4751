//! Datagrams: a thread for each port.

use std::{
    io::Result,
    net::{Ipv4Addr, Ipv6Addr, UdpSocket},
    prelude::v1::*,
    thread,
};

/// More than a datagram can have (RFC 768).
const LONGEST: usize = 1 << 16;

/// Groups whose datagrams are taken too: of an organisation (RFC 2365), and of the link (RFC 4291, 2.7).
const GROUPS: (Ipv4Addr, Ipv6Addr) = (Ipv4Addr::new(239, 7, 7, 7), Ipv6Addr::new(0xff02, 0, 0, 0, 0, 0, 7, 7));

/// Takes the datagrams of a port, in both families, and sends them back where `back` says so.
pub fn serve(port: u16, back: bool) -> Result<()> {
    let socket = UdpSocket::bind((Ipv6Addr::UNSPECIFIED, port))?;
    // A machine without interfaces is in no group, and serves all the same.
    let _ = socket.join_multicast_v4(&GROUPS.0, &Ipv4Addr::UNSPECIFIED);
    let _ = socket.join_multicast_v6(&GROUPS.1, 0);
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
