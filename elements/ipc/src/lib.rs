//! Objects that programs share by keys and names: System V's (sysvipc(7)) and POSIX message queues (mq_overview(7)).
//!
//! The rules alone, of objects that belong to no process: who may do what ([`Permission`]), which number an object has
//! ([`Table`]), what is in it, and who waits for it ([`Ticket`]). Nothing here waits, copies from programs or knows the
//! time: whoever calls brings his [`Caller`] and the moment, and sleeps until his ticket is called.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod error;
pub mod message;
mod permission;
pub mod post;
pub mod segment;
pub mod semaphore;
mod table;
mod ticket;

pub use error::Error;
pub use permission::{Caller, Permission, READ, WRITE};
pub use table::{Get, Object, Table};
pub use ticket::Ticket;

#[cfg(test)]
mod tests;
