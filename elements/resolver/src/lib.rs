//! A stub resolver: it asks servers that others run for the addresses of a name (RFC 1034, 5.3.1; RFC 1035; RFC 3596).
//!
//! A [`Lookup`] is one name's. It is pure: each call says what time it is, and [`Lookup::poll`] says what is to be
//! done. Whoever drives it has the sockets:
//!
//! - [`Step::Ask`] is sent from a socket that is new each time and connected to the server. So its port is one that
//!   nobody can guess, and what comes from others does not arrive (RFC 5452, 9).
//! - [`Step::AskByStream`] is asked over TCP, where an answer was too long (RFC 7766).
//! - What comes goes to [`Lookup::receive`]; what cannot be sent is told by [`Lookup::failed`].
//!
//! Each message has a number that nobody can guess. An answer counts if number, name and kind are those of a question,
//! and who guesses too often makes everything begin anew.
//!
//! # What is not here
//! A cache, search lists, DNSSEC, EDNS, names that are not ASCII. Addresses of IPv6 come first (RFC 6724, 6, rule 10).
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod answer;
mod lookup;
mod name;
#[cfg(test)]
mod tests;

pub use lookup::{Families, Lookup, Step};
pub use name::Name;

/// The servers' port: RFC 1035, 4.2.
pub const PORT: u16 = 53;
/// Bytes of the longest answer that comes in a datagram: RFC 1035, 2.3.4.
pub const LONGEST_DATAGRAM: usize = 512;

/// Why there is no address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Error {
    /// It is no name: RFC 1035, 2.3.4; RFC 1123, 2.1.
    NotAName,
    /// There is nobody to ask.
    NoServers,
    /// The name is not there: RFC 2308, 2.1.
    NoSuchName,
    /// The name is there, and has no address of these families: RFC 2308, 2.2.
    NoAddress,
    /// The servers could not answer, or would not.
    Failed,
    /// No server answered.
    TimedOut,
}
