//! A server of the network's simple services, over TCP and UDP, and over IPv4 and IPv6:
//!
//! | port | service |
//! |---|---|
//! | 7 | echo (RFC 862) |
//! | 9 | discard (RFC 863) |
//! | 19 | source, after RFC 864: eight bytes, the highest first, say how many bytes it sends ([`pattern`]) |
//! | 90 | digest: at the end of what came, how many bytes came and their digest, each in eight bytes |
//!
//! UDP has the first two, also for datagrams to groups (`datagrams`). On Linux the same program runs on the real
//! standard library.
#![cfg_attr(target_os = "none", no_std)]
#![forbid(unsafe_code)]
#[cfg(target_os = "none")]
#[macro_use]
extern crate whittle_std as std;

#[cfg(not(target_os = "none"))]
pub mod client;
mod datagrams;
mod pattern;
mod services;
mod streams;

use std::process::ExitCode;
use std::thread;

/// The application: the image calls it when the machine is ready.
pub fn main() -> ExitCode {
    let begun = [
        streams::serve(7, services::echo),
        streams::serve(9, services::discard),
        streams::serve(19, services::source),
        streams::serve(90, services::digest),
        datagrams::serve(7, true),
        datagrams::serve(9, false),
    ];
    if let Some(error) = begun.into_iter().find_map(Result::err) {
        println!("the server does not begin: {error}");
        return ExitCode::FAILURE;
    }
    println!("ready");
    loop {
        thread::park();
    }
}
