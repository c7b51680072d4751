//! What threads share, as `std::sync` has it.
//!
//! A panic ends the machine, so no lock is ever poisoned: every result is `Ok`. With a scheduler that keeps one thread
//! a lock is a flag, and waiting for one that is held is a panic, as nobody could give it back.

mod barrier;
mod condvar;
pub mod mpsc;
mod mutex;
mod once;
mod poison;
mod rwlock;

pub use alloc_crate::sync::{Arc, Weak};
pub use core::sync::atomic;

pub use barrier::{Barrier, BarrierWaitResult};
pub use condvar::{Condvar, WaitTimeoutResult};
pub use mutex::{Mutex, MutexGuard};
pub use once::{LazyLock, Once, OnceLock, OnceState};
pub use poison::{LockResult, PoisonError, TryLockError, TryLockResult};
pub use rwlock::{RwLock, RwLockReadGuard, RwLockWriteGuard};
