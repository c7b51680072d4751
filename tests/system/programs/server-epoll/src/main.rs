//! The network's simple services by one thread and one epoll, as servers of Linux are made that hold many connections:
//!
//! | port | service |
//! |---|---|
//! | 7 | echo (RFC 862), over UDP too |
//! | 9 | discard (RFC 863) |
//! | 19 | source: eight bytes, the highest first, say how many bytes of the pattern it sends |
//! | 90 | digest: at the end of what came, how many bytes came and their digest, each in eight bytes |
//! | 91 | how many bytes of the machine's memory are in use, and how many descriptors are open, each in eight bytes |
//!
//! Clients that vanish are seen by keepalive and TCP_USER_TIMEOUT.
#![forbid(unsafe_code)]

mod connection;
/// What is sent: the native server's own file, so that all sides have one pattern and one digest.
#[path = "../../../../../apps/echo/src/pattern.rs"]
mod pattern;
mod service;
mod server;

use std::io::Result;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

fn main() -> Result<()> {
    // As many descriptors as there may be.
    let limit = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit })?;
    let mut server = server::Server::begin()?;
    println!("ready");
    loop {
        server.turn()?;
    }
}
