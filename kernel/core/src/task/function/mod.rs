//! Threads that are functions: those of a native application, which has one address space and is the kernel.
//!
//! A thread here is a *slot*: the kernel's [`Thread`], its stack, and what a function needs beyond that. What the
//! function captures is moved to the top of the new stack, and what it returns is left in the same place, so a thread
//! that finds a slot free allocates nothing. A slot is free when the thread has ended and nobody has a handle of it.
//!
//! An image for one processor only ([`mod@super::alone`]), and nobody is interrupted: threads take turns where they
//! wait or yield. So what only threads touch needs no lock and no atomic exchange.
//!
//! Unsafe: functions and results are moved through memory that has no type, and slots are reached through threads.
#![allow(unsafe_code)]

mod locals;
mod pool;
mod running;
mod scope;
mod slot;

pub use locals::{Gone, Local};
pub use running::{Running, spawn};
pub use scope::{Scope, ScopedRunning, scope};
pub use slot::{Handle, Options, ThreadId, current, ready};

/// No memory for another thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoRoom;
