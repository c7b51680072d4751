//! Locks and wait queues: one place to choose them for every element and kernel crate.
//!
//! - [`Mutex`] spins. Kernel code runs with interrupts off and is never pre-empted while it holds one, so on one
//!   processor none ever spins, and on several only for as long as another one's critical section lasts.
//! - [`WaitQueue`] holds who waits for something to happen, as [`core::task::Waker`]s: it knows neither threads nor
//!   schedulers, so files, pipes and timers of any element can have one.
//! - [`words`] are waited for as futex(2) has it.
//! - [`blocking`] has locks and conditions for threads that sleep while they wait.
#![no_std]
// Exceptions: `wait_queue`, whose list runs through the stacks of those who wait; `words`, whose trees run through
// their places; `mutex`, which promises that it is one.
#![deny(unsafe_code)]

extern crate alloc;
#[cfg(any(test, loom))]
extern crate std;

pub mod atomic;
pub mod blocking;
mod mutex;
mod relax;
mod spin_lock;
mod wait_queue;
pub mod words;

pub use mutex::{Mutex, MutexGuard, Once, alone, is_alone};
pub use relax::{on_spin, relax};
pub use spin_lock::{SpinGuard, SpinLock};
pub use wait_queue::{Stay, WaitQueue, Waiter, Watcher};
