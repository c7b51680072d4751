//! Sockets within the machine (unix(7)): streams, datagrams, and packets in sequence.
//!
//! What is sent waits in the inbox of the socket that it is for, which counts it against what the sender may have
//! under way. Sockets know each other weakly, so dropping one is closing it; what is sent along with bytes is held
//! (`flight.rs`).
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod flight;
mod inbox;
mod link;
mod names;
mod node;
mod options;
mod transfer;

use alloc::sync::{Arc, Weak};
use core::sync::atomic::{AtomicU64, AtomicUsize};

use sync::{Mutex, WaitQueue};

use inbox::Inbox;
use link::Link;
use vfs::{FileError, Kind, Metadata, Owner, Time};

pub use flight::{Allowance, Carried, Right, closed};
pub use names::Names;
pub use transfer::{Parcel, Received};

/// Bytes that a socket may have under way unless told otherwise (`/proc/sys/net/core/wmem_default`).
pub const CAPACITY: usize = 212_992;

/// What keeps bytes together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Nothing does (SOCK_STREAM).
    Stream,
    /// Each send is a message, to whomever (SOCK_DGRAM).
    Datagrams,
    /// Each send is a message on a connection (SOCK_SEQPACKET).
    Packets,
}

/// A name that a socket has or is called by.
pub type Name = Arc<[u8]>;

/// Who is at an end: process, user and group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Who {
    /// Process.
    pub process: u32,
    /// Whose it is.
    pub owner: Owner,
}

/// A socket.
pub struct Socket {
    form: Form,
    state: Mutex<State>,
    /// Woken when its readiness changes.
    changed: WaitQueue,
    /// Bytes it may have under way.
    capacity: AtomicUsize,
    /// Options that only its user knows, a bit each by number.
    options: AtomicU64,
    /// How long a receive and a send wait, in nanoseconds; 0 is for ever.
    patience: [AtomicU64; 2],
    /// As fstat(2) shows it.
    metadata: Mutex<Metadata>,
    who: Who,
    myself: Weak<Self>,
}

struct State {
    inbox: Inbox,
    link: Link,
    /// Nothing more comes.
    receive_ended: bool,
    /// Nothing more goes.
    send_ended: bool,
    /// What the next call is told.
    error: Option<FileError>,
    /// Its own name and the other end's.
    name: Option<Name>,
    /// Where it is found by which key.
    found_as: Option<(&'static Names, Name)>,
    peer_name: Option<Name>,
    /// Who was at the other end when they were joined.
    peer: Option<Who>,
}

impl Socket {
    /// A socket that is joined with none.
    #[must_use]
    pub fn new(form: Form, inode: u64, who: Who, made: Time) -> Arc<Self> {
        let state = State {
            inbox: Inbox::default(),
            link: Link::None,
            receive_ended: false,
            send_ended: false,
            error: None,
            name: None,
            found_as: None,
            peer_name: None,
            peer: None,
        };
        let mut metadata = Metadata::new(Kind::Socket, 0o777);
        (metadata.inode, metadata.owner) = (inode, who.owner);
        metadata.set_times(made);
        Arc::new_cyclic(|myself| Self {
            form,
            state: Mutex::new(state),
            changed: WaitQueue::new(),
            capacity: AtomicUsize::new(CAPACITY),
            options: AtomicU64::new(0),
            patience: [const { AtomicU64::new(0) }; 2],
            metadata: Mutex::new(metadata),
            who,
            myself: myself.clone(),
        })
    }

    /// Whether it is joined with another one.
    #[must_use]
    pub fn is_connected(&self) -> bool {
        matches!(self.state.lock().link, Link::Connected(_))
    }

    /// What keeps its bytes together.
    #[must_use]
    pub const fn form(&self) -> Form {
        self.form
    }
}

#[cfg(test)]
mod flight_tests;
#[cfg(test)]
mod tests;
