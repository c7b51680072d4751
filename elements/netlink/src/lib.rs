//! Messages of netlink(7), and what the family of routes (rtnetlink(7)) answers: which interfaces, addresses, routes
//! and neighbours there are. Nothing can be changed by it.
//!
//! Who asks says so in bytes that may be anything ([`requests`]); what is answered is datagrams of whole messages
//! ([`route::answer`]). What there is comes from whoever knows ([`route::Facts`]).
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod message;
pub mod route;
#[cfg(test)]
mod tests;
mod writer;

pub use message::{Request, attributes, requests};
pub use writer::{Answers, DATAGRAM, Message};

/// Linux' numbers of errors that are answered: errno(3).
pub mod error {
    /// It would change something.
    pub const PERMISSION: i32 = 1;
    /// There is no such interface.
    pub const NO_DEVICE: i32 = 19;
    /// The request is too short.
    pub const INVALID: i32 = 22;
    /// Nobody answers that.
    pub const UNSUPPORTED: i32 = 95;
    /// No route leads there.
    pub const UNREACHABLE: i32 = 101;
}

/// Kinds of messages that all families have: netlink(7).
pub mod kind {
    /// The result of a request.
    pub const ERROR: u16 = 2;
    /// The end of a list.
    pub const DONE: u16 = 3;
    /// Those below are for the transport itself.
    pub const FIRST: u16 = 16;
}

/// Flags of messages: netlink(7).
pub mod flag {
    /// Somebody asks.
    pub const REQUEST: u16 = 1;
    /// One of several.
    pub const MULTI: u16 = 2;
    /// A result is wanted.
    pub const ACK: u16 = 4;
    /// A list is wanted: NLM_F_ROOT and NLM_F_MATCH.
    pub const DUMP: u16 = 0x300;
}
