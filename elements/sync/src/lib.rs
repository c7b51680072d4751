//! Locks: one place to choose them for every element and kernel crate.
//!
//! Today these are the spin locks of the crate `spin`. Kernel code runs with interrupts off and is never
//! pre-empted while it holds one, so on one core they never spin; wait-queue mutexes come with threads.
#![no_std]
#![forbid(unsafe_code)]

pub use spin::{Mutex, MutexGuard, Once};
