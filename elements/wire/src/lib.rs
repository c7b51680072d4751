//! The frames that kernel and command exchange over a machine's one console port.
//!
//! One duplex byte stream (a virtio serial port on pc) carries everything: standard output and error in the order
//! they were written, standard input on demand, terminal settings, signals, records, and the exit. One port rather
//! than four keeps that order: two ports would let error overtake output.
//! Input is sent only when the guest asks, so a terminal's unread keys and a pipe's unread bytes stay where they are.
//!
//! A frame is [`HEADER`] bytes and then `length` bytes of payload:
//!
//! | bytes | field |
//! |---|---|
//! | 0 | kind, see [`FromGuest`] and [`ToGuest`] |
//! | 1 | a small argument (stream, record, flags), see the kind |
//! | 2..4 | zero |
//! | 4..8 | payload length, little endian, at most [`MAX_PAYLOAD`] |
//! | 8..12 | a signed number, little endian, see the kind |
//! | 12..16 | zero |
#![no_std]
#![forbid(unsafe_code)]

#[cfg(test)]
extern crate std;

mod decode;
pub mod guest;
mod header;
mod kinds;

pub use decode::{Decoder, Piece};
pub use header::{HEADER, Header, HeaderError, MAX_PAYLOAD};
pub use kinds::{FromGuest, ToGuest};
