//! An echo server over TCP whose connections are tasks: an executor polls those that something has come for, and one
//! thread does it all. So a connection that is idle has a socket and its place in the program, and no stack.
//!
//! | port | service |
//! |---|---|
//! | 7 | echo (RFC 862) |
//! | 91 | how many bytes of the heap are in use, and in how many blocks, each in eight bytes, the highest first |
#![no_std]
#![forbid(unsafe_code)]
#[macro_use]
extern crate whittle_std as std;

mod tasks;

use std::asynchronous;
use std::io::Result;
use std::net::{Ipv6Addr, TcpListener};
use std::prelude::v1::*;
use std::process::ExitCode;

/// A listener at a port, in both families, which returns at once.
fn listen(port: u16) -> Result<TcpListener> {
    let listener = TcpListener::bind((Ipv6Addr::UNSPECIFIED, port))?;
    listener.set_nonblocking(true)?;
    Ok(listener)
}

/// The application: the image calls it when the machine is ready.
pub fn main() -> ExitCode {
    match (listen(7), listen(91)) {
        (Ok(echo), Ok(memory)) => {
            println!("ready");
            asynchronous::block_on(tasks::serve(&echo, &memory))
        }
        (Err(error), _) | (_, Err(error)) => {
            println!("the server does not begin: {error}");
            ExitCode::FAILURE
        }
    }
}
