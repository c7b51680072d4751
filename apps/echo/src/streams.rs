//! Connections: a thread accepts those of a port, and another has each of them.

use std::{
    io::Result,
    net::{Ipv6Addr, TcpListener, TcpStream},
    thread,
};

/// What is done with a connection.
pub type Service = fn(&mut TcpStream) -> Result<()>;

/// Begins a service at a port, in both families.
pub fn serve(port: u16, service: Service) -> Result<()> {
    let listener = TcpListener::bind((Ipv6Addr::UNSPECIFIED, port))?;
    let accept = move || {
        loop {
            // A connection that ended before it was accepted is nobody's trouble.
            let Ok((mut stream, _)) = listener.accept() else { continue };
            // Its error is the other side's doing, who knows. One that no memory is left for ends at once.
            let _ = thread::Builder::new().spawn(move || service(&mut stream));
        }
    };
    thread::Builder::new().spawn(accept).map(drop)
}
