//! Who may use a cache, and when.

use sync::Mutex;

/// The processors that share a heap. Each has a cache, for which it takes no lock.
///
/// # Safety
/// While [`Processors::stay`] runs `work` with a number, nobody else gets that number: no other processor, no thread
/// that takes over this one, no interrupt or signal handler that allocates. So it is with a number that
/// [`Processors::alone`] gives, until the call of the heap's that asked for it ends. The number is below
/// [`Processors::COUNT`].
///
/// A kernel that runs with interrupts off is already so: its provider calls `work` with the processor's number. Code
/// that may be pre-empted forbids it for as long as `work` runs, some ten instructions in the usual case.
pub unsafe trait Processors: Sync {
    /// How many there are.
    const COUNT: usize;
    /// The instance.
    const NEW: Self;

    /// This processor's number, where nothing has to be done to have it alone: blocks at hand come and go by it without
    /// a call.
    #[inline]
    fn alone(&self) -> Option<usize> {
        None
    }

    /// Runs `work` with this processor's number.
    fn stay<R>(&self, work: impl FnOnce(usize) -> R) -> R;
}

/// One cache for all, and a spin lock before it: right for any number of processors and threads.
#[derive(Debug)]
pub struct Turns(Mutex<()>);

// SAFETY: who holds the lock is alone.
unsafe impl Processors for Turns {
    const COUNT: usize = 1;
    const NEW: Self = Self(Mutex::new(()));

    #[inline]
    fn stay<R>(&self, work: impl FnOnce(usize) -> R) -> R {
        let _turn = self.0.lock();
        work(0)
    }
}
