//! Threads that may borrow from the function that made them, because it waits for their end.

use alloc::boxed::Box;
use core::{any::Any, cell::Cell, marker::PhantomData};

use super::{Handle, NoRoom, Options, Running, running::spawn_unchecked, slot};
use crate::task;

/// How many of a scope's threads have not finished, and who waits for them.
pub(super) struct Count {
    running: Cell<usize>,
    owner: Handle,
}

impl Count {
    /// One has finished.
    pub(super) fn leave(&self) {
        self.running.set(self.running.get() - 1);
        if self.running.get() == 0 {
            self.owner.unpark();
        }
    }

    fn wait(&self) {
        while self.running.get() != 0 {
            task::park();
        }
    }
}

/// Makes threads that end before [`scope`] returns. The lifetimes are those of the standard library's scope, for its
/// reasons: `'scope` is the threads', `'env` what they borrow.
pub struct Scope<'scope, 'env: 'scope> {
    count: Count,
    scope: PhantomData<&'scope mut &'scope ()>,
    env: PhantomData<&'env mut &'env ()>,
}

// SAFETY: the count is touched by threads only, on one processor, and they are not interrupted.
unsafe impl Sync for Scope<'_, '_> {}

/// Calls `work` with a scope, and returns when all of the scope's threads have finished. A panic ends the machine, so
/// nobody gets past the waiting.
pub fn scope<'env, W, T>(work: W) -> T
where
    W: for<'scope> FnOnce(&'scope Scope<'scope, 'env>) -> T,
{
    let count = Count { running: Cell::new(0), owner: slot::current() };
    let scope = Scope { count, scope: PhantomData, env: PhantomData };
    let result = work(&scope);
    scope.count.wait();
    result
}

impl<'scope> Scope<'scope, '_> {
    /// Has `body` run in a thread of its own. Panics when there is no memory for it.
    pub fn spawn<F, T>(&'scope self, body: F) -> ScopedRunning<'scope, T>
    where
        F: FnOnce() -> T + Send + 'scope,
        T: Send + 'scope,
    {
        self.start(Options::default(), body).expect("failed to spawn thread")
    }

    /// Has `body` run in a thread of its own.
    ///
    /// # Errors
    /// [`NoRoom`]: the heap has no memory for it.
    pub fn start<F, T>(&'scope self, options: Options, body: F) -> Result<ScopedRunning<'scope, T>, NoRoom>
    where
        F: FnOnce() -> T + Send + 'scope,
        T: Send + 'scope,
    {
        // SAFETY: `scope` waits until the thread has finished; its result lives as long as the scope does.
        let running = unsafe { spawn_unchecked(options, body) }?;
        running.handle().slot().scope.set(Some(&raw const self.count));
        self.count.running.set(self.count.running.get() + 1);
        Ok(ScopedRunning { running, scope: PhantomData })
    }
}

/// A scope's thread, whose result is a `T`.
pub struct ScopedRunning<'scope, T> {
    running: Running<T>,
    scope: PhantomData<&'scope ()>,
}

impl<T> ScopedRunning<'_, T> {
    /// The thread.
    #[must_use]
    pub fn thread(&self) -> &Handle {
        self.running.handle()
    }

    /// Whether its function has returned.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.running.is_finished()
    }

    /// Waits for the end of the function: its result.
    ///
    /// # Errors
    /// None, but the standard library's has some.
    pub fn join(self) -> Result<T, Box<dyn Any + Send + 'static>> {
        Ok(self.running.join())
    }
}

impl<T> core::fmt::Debug for ScopedRunning<'_, T> {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        formatter.debug_struct("ScopedJoinHandle").finish_non_exhaustive()
    }
}

impl core::fmt::Debug for Scope<'_, '_> {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        formatter.debug_struct("Scope").field("running", &self.count.running.get()).finish_non_exhaustive()
    }
}
