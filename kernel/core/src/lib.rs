//! The kernel core: boot order, memory, threads, timers.
//!
//! [`Core`] fills the slot `kernel`, so it is what platforms call; it calls the slot `application` above it. Read
//! [`mod@boot`] first.
#![no_std]
// Exceptions are `memory::heap`, `timer` and parts of `task`, each with its reason.
#![deny(unsafe_code)]

extern crate alloc;
#[cfg(test)]
extern crate std;

pub mod boot;
pub mod log;
pub mod memory;
pub mod parting;
mod processor;
pub mod task;
#[cfg(test)]
mod tests;
pub mod timer;

pub use boot::Core;
