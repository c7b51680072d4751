//! Locks and conditions for threads: who has to wait sleeps.
//!
//! All are a word and a [`Gate`], where those wait who found the word unfit. They are for whatever has threads, the
//! kernel itself or a native application, so they take them as a parameter, [`Threads`]; a test has the host's. Where
//! threads take turns on one processor the word is read and written as a plain one, and where there is never a second
//! thread, waiting is a mistake and nothing of it is in the image.
//!
//! What they guard is not in here: `lock_api` and its like put a value behind a lock.

mod barrier;
mod condition;
mod gate;
mod lock;
mod once;
mod read_write;
mod semaphore;
mod word;

use core::task::Waker;

pub use barrier::Barrier;
pub use condition::Condition;
pub use gate::Gate;
pub use lock::Lock;
pub use once::{Once, Progress};
pub use read_write::ReadWriteLock;
pub use semaphore::Semaphore;

/// The threads around a lock.
///
/// # Safety
/// [`Threads::take_turns`] holds only where it is so: queues are not locked then.
#[allow(unsafe_code, reason = "only the trait's promise")]
pub unsafe trait Threads: 'static {
    /// Whether threads run on one processor and nobody takes it from them between two instructions: reading and
    /// writing a word are then as good as one step. A constant of the image.
    fn take_turns() -> bool;

    /// Whether there is never a second thread, so that who waits would wait for ever. A constant of the image.
    fn never_wait() -> bool {
        false
    }

    /// Wakes the running thread from [`Threads::park`], once for each wake, also if it does not sleep yet.
    fn waker() -> Waker;

    /// Sleeps until woken; may come back without a reason.
    fn park();

    /// As [`Threads::park`]; `false`, without sleeping, once `deadline` (nanoseconds of the monotonic clock) has
    /// passed.
    fn park_until(deadline: u64) -> bool;
}

#[cfg(all(test, not(loom)))]
mod tests;

#[cfg(all(test, loom))]
mod model;
