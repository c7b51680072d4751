//! Trace records: what a kernel says about one system call, and the lines strace(1) would print for it.
//!
//! A kernel should not carry the names of flags and errors that only a person reads. It sends registers and the bytes
//! they point at ([`Call`], [`Event`]); [`needs`] tells it which. The command turns records into lines: [`Record`]
//! decodes and prints. A record is a byte that says what it is about, and then little-endian numbers:
//!
//! | record | bytes |
//! |---|---|
//! | a system call | 1; 1 if it has answered, else 0; 8 each: number with the thread in its upper half, six arguments, result; any number of pieces |
//! | a piece of memory | argument (0 to 5), with bit 7 if there was more; 2: length; that many bytes |
//! | any other event | what; 8 each: three numbers, see [`Event`] |
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod call;
mod decode;
mod event;
mod memory;
mod print;

pub use call::Call;
pub use decode::{CallRecord, Piece, Record};
pub use event::Event;
pub use memory::{MAX_LIST, MAX_STRINGS, Memory, Needs, SHOWN, needs};

/// What a record's first byte says of a system call; the events have the other numbers.
const CALL: u8 = 1;
/// Bytes of a number.
const WORD: usize = size_of::<u64>();
