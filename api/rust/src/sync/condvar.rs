//! Waiting for a change of what a mutex guards.

use core::fmt;

use kernel::task::Threads;
use lock_api::MutexGuard as Held;
use sync::blocking::Condition;

use super::{LockResult, MutexGuard};
use crate::{thread::deadline_in, time::Duration};

/// A condition variable.
#[derive(Default)]
pub struct Condvar(Condition<Threads>);

/// Whether a wait ended because its time was over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WaitTimeoutResult(bool);

impl WaitTimeoutResult {
    /// Whether it did.
    #[must_use]
    pub const fn timed_out(&self) -> bool {
        self.0
    }
}

impl Condvar {
    /// Nobody waits.
    #[must_use]
    pub const fn new() -> Self {
        Self(Condition::new())
    }

    fn sleep<T: ?Sized>(&self, guard: &mut MutexGuard<'_, T>, deadline: Option<u64>) -> bool {
        self.0.wait(deadline, |sleep| Held::unlocked(&mut guard.0, sleep))
    }

    /// Gives the mutex back, waits to be notified, and takes it again.
    ///
    /// # Errors
    /// None.
    #[inline]
    pub fn wait<'a, T: ?Sized>(&self, mut guard: MutexGuard<'a, T>) -> LockResult<MutexGuard<'a, T>> {
        self.sleep(&mut guard, None);
        Ok(guard)
    }

    /// Waits as long as `condition` holds.
    ///
    /// # Errors
    /// None.
    pub fn wait_while<'a, T: ?Sized, F: FnMut(&mut T) -> bool>(
        &self,
        mut guard: MutexGuard<'a, T>,
        mut condition: F,
    ) -> LockResult<MutexGuard<'a, T>> {
        while condition(&mut guard) {
            self.sleep(&mut guard, None);
        }
        Ok(guard)
    }

    /// As [`Condvar::wait`], at most so long.
    ///
    /// # Errors
    /// None.
    pub fn wait_timeout<'a, T: ?Sized>(
        &self,
        mut guard: MutexGuard<'a, T>,
        longest: Duration,
    ) -> LockResult<(MutexGuard<'a, T>, WaitTimeoutResult)> {
        let told = self.sleep(&mut guard, Some(deadline_in(longest)));
        Ok((guard, WaitTimeoutResult(!told)))
    }

    /// As [`Condvar::wait_while`], at most so long.
    ///
    /// # Errors
    /// None.
    pub fn wait_timeout_while<'a, T: ?Sized, F: FnMut(&mut T) -> bool>(
        &self,
        mut guard: MutexGuard<'a, T>,
        longest: Duration,
        mut condition: F,
    ) -> LockResult<(MutexGuard<'a, T>, WaitTimeoutResult)> {
        let deadline = deadline_in(longest);
        while condition(&mut guard) {
            if !self.sleep(&mut guard, Some(deadline)) {
                let over = condition(&mut guard);
                return Ok((guard, WaitTimeoutResult(over)));
            }
        }
        Ok((guard, WaitTimeoutResult(false)))
    }

    /// Wakes one who waits.
    #[inline]
    pub fn notify_one(&self) {
        self.0.tell_one();
    }

    /// Wakes all who wait.
    #[inline]
    pub fn notify_all(&self) {
        self.0.tell_all();
    }
}

impl fmt::Debug for Condvar {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Condvar").finish_non_exhaustive()
    }
}
