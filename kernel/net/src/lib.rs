//! A network: `netstack` over the image's network interfaces, as the contract `sockets`.
//!
//! The stack is pure, and this drives it. What devices have received goes up on the way to idling and after each
//! interruption ([`kernel::task::look_by`]); what is to be sent goes down behind each call; one timer rings for what is
//! due. So there is no thread, and a machine with nothing to do sleeps.
//!
//! All of it is behind one lock, which is held for a call or a burst, and never while bytes are copied or anybody is
//! woken.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod away;
mod chosen;
mod datagrams;
mod divided;
mod drive;
mod errors;
mod kinds;
mod network;
mod none;
mod parting;
mod provider;
mod raw;
mod report;
mod settings;
mod start;
mod state;
mod stream;
mod streams;
mod table;

pub use away::Away;
pub use chosen::{AUTO, Chosen, DHCP, is_among};
pub use divided::Divided;
pub use network::Network;
pub use none::NoNics;
pub use tcp::{Cubic, NewReno};
