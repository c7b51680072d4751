//! TCP without an operating system: RFC 9293 and what belongs to it.
//!
//! [`Tcp`] holds all sockets of a machine. It is pure: each call is told what time it is, packets go to a [`Network`]
//! that it is handed, and randomness comes from a secret given at the start. So a test runs it in virtual time.
//!
//! - Packets come with [`Tcp::receive`], what is due is done by [`Tcp::poll`], and [`Tcp::deadline`] says when to come
//!   again. There is no tick, and nothing walks over all sockets.
//! - Sockets are [`Handle`]s. No call waits: it answers [`Error::WouldBlock`]. Those whose readiness has changed are
//!   taken with [`Tcp::take_events`], each once.
//!
//! What is done, and where: RFC 9293 and 5961 (`connection`), 6528, 6056 and 7323's offsets (`secrets`), 7323, 2018,
//! 2883, 6675, 8985 and 9937 (`recovery`, `connection/loss.rs`, `connection/timeout.rs`), 3522 and 3708
//! (`recovery/undo.rs`), 5682 (`connection/doubt.rs`), 6582 without SACK, 5681, 3465, 9438 and HyStart (`congestion`),
//! 6298 (`round_trip`), 3168, 4987 (`listen`), 1337 and 6191 (`time_wait`), 5482 for this side, 5927 and 5461
//! (`stack/told.rs`), 4821 (`connection/search.rs`), 7413 for who connects (`connection/fast_open.rs`).
//!
//! What is missing: the listening side of fast open, AccECN, the keys of MD5 and AO. A path that ICMP has told to be
//! short stays so for its connection. Connections in FIN-WAIT-2 that nobody owns keep their whole state for a minute,
//! and bind(2) takes connections of a port for conflicts whatever their address.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod congestion;
mod connection;
mod context;
mod error;
mod fast_open;
mod handle;
mod info;
mod listen;
mod moments;
mod network;
mod ports;
mod receive;
mod recovery;
mod round_trip;
mod secrets;
mod segment;
mod send;
mod settings;
mod stack;
mod table;
#[cfg(test)]
mod tests;
mod time_wait;
mod tuple;
mod wire;

pub use congestion::{Acknowledged, Congestion, Cubic, NewReno, Window};

pub use error::{Error, Unreachable};
pub use handle::{Family, Handle, Readiness, Shutdown, State, WriteFlags};
pub use info::{Busy, Counts, Hold, Info, Phase, Statistics};
pub use moments::{Moments, Stamp};
pub use network::{Arrival, Network, Outgoing, Route, Told, Usual};
pub use settings::{Limits, PathProbing, Settings};
pub use stack::{KnobError, Tcp};
