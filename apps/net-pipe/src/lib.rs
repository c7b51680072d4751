//! The server's half of measurements of TCP, after NetPIPE (Snell, Mikler, Gustafson, 1996). Numbers are eight bytes,
//! the highest first.
//!
//! | port | service |
//! |---|---|
//! | 5002 | messages to and fro: a number says how long they are, and each comes back when all of it is there |
//! | 5003 | the machine's own loopback: two numbers are a length and a count; so many messages go to port 5002 and back, or with the length 0 so many bytes to port 5004. The answer is how many nanoseconds it took |
//! | 5004 | takes a stream, and ends when it ends |
//! | 5005 | sends as many bytes as it is asked for |
//!
//! On Linux the same program runs on the real standard library.
#![cfg_attr(target_os = "none", no_std)]
#![forbid(unsafe_code)]
#[cfg(target_os = "none")]
#[macro_use]
extern crate whittle_std as std;

mod inside;
mod services;

use std::io::Result;
use std::net::{Ipv6Addr, TcpListener, TcpStream};
use std::process::ExitCode;
use std::thread;

/// Ports of the services, as the table has them.
const PIPE: u16 = 5002;
const INSIDE: u16 = 5003;
const SINK: u16 = 5004;
const SOURCE: u16 = 5005;

/// What is done with a connection.
type Service = fn(&mut TcpStream) -> Result<()>;

/// Begins a service: a thread accepts, and another has each connection.
fn serve(port: u16, service: Service) -> Result<()> {
    let listener = TcpListener::bind((Ipv6Addr::UNSPECIFIED, port))?;
    let accept = move || {
        loop {
            // A connection that ended before it was accepted, or whose thread finds no memory, is nobody's trouble.
            let Ok((mut stream, _)) = listener.accept() else { continue };
            let _ = stream.set_nodelay(true);
            let _ = thread::Builder::new().spawn(move || service(&mut stream));
        }
    };
    thread::Builder::new().spawn(accept).map(drop)
}

/// The application: the image calls it when the machine is ready.
pub fn main() -> ExitCode {
    let services: [(u16, Service); 4] =
        [(PIPE, services::pipe), (INSIDE, inside::measure), (SINK, services::sink), (SOURCE, services::source)];
    for (port, service) in services {
        if let Err(error) = serve(port, service) {
            println!("the server does not begin: {error}");
            return ExitCode::FAILURE;
        }
    }
    println!("ready");
    loop {
        thread::park();
    }
}
