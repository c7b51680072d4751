//! What a process and a thread keep about signals (signal(7)): which are blocked, what each does, and which wait.
//!
//! Linux' rules alone: who sends, who is woken and how a handler begins is the door's.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod actions;
mod pending;
mod set;

pub use actions::{Effect, ProcessSignals, STOPPING, ThreadSignals};
pub use pending::{FROM_TIMER, MAX_PENDING, Pending, QueueFull};
pub use set::SignalSet;

#[cfg(test)]
mod tests;
