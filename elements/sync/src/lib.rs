//! Locks and wait queues: one place to choose them for every element and kernel crate.
//!
//! - [`Mutex`] spins. Kernel code runs with interrupts off and is never pre-empted while it holds one, so on one
//!   processor none ever spins, and on several only for as long as another one's critical section lasts.
//! - [`SleepMutex`] is for code that may wait while it holds the lock: who finds it held sleeps. [`might_sleep`] says
//!   where waits begin, and lets tests find spin locks that are held there.
//! - [`PollMutex`] is for a device that is asked under the lock by one who may not sleep: he polls.
//! - [`WaitQueue`] holds who waits for something to happen, as [`core::task::Waker`]s: it knows neither threads nor
//!   schedulers, so files, pipes and timers of any element can have one.
//! - [`Pointer`] leads to one of several values that live for ever, and [`Direct`] to one that is counted.
//! - [`words`] are waited for as futex(2) has it.
//! - [`blocking`] has locks and conditions for threads that sleep while they wait.
#![no_std]
// Exceptions: `wait_queue`, whose list runs through the stacks of those who wait; `words`, whose trees run through
// their places; `mutex`, `sleep` and `polling`, which
// promise that they are one; `pointer` and `direct`, which are followed; `alone`, which is looked at by plain loads.
#![deny(unsafe_code)]

extern crate alloc;
#[cfg(any(test, loom))]
extern crate std;

mod alone;
pub mod atomic;
pub mod blocking;
mod direct;
mod held;
mod mutex;
mod pointer;
mod polling;
mod relax;
mod sleep;
#[cfg(all(test, not(loom)))]
mod sleep_tests;
mod spin_lock;
mod wait_queue;
pub mod words;

pub use alone::{Alone, alone, is_alone};
pub use direct::Direct;
pub use held::might_sleep;
pub use mutex::{Mutex, MutexGuard, Once};
pub use pointer::Pointer;
pub use polling::{PollGuard, PollMutex, RawPolling};
pub use relax::{on_spin, relax};
pub use sleep::{
    RawSleeping, Sleep, SleepGuard, SleepMutex, has_threads, keep_awake, may_sleep, sleep_by, wait_for_device, wait_on,
};
pub use spin_lock::{SpinGuard, SpinLock};
pub use wait_queue::{Stay, WaitQueue, Waiter, Watcher};
