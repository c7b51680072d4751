//! Threads, as `std::thread` has them: the kernel's own.
//!
//! They take turns on one processor, where one of them waits, yields or ends: nothing takes the processor from a thread
//! that only computes. A panic ends the machine, so joining a thread always gives its result.

mod builder;
mod local;

use alloc_crate::boxed::Box;
use core::{any::Any, fmt, num::NonZero};

use kernel::task::{
    self,
    function::{self, Running},
};

use crate::{
    io,
    time::{Duration, Instant},
};

pub use builder::Builder;
/// Beyond the standard library: what a program can tell the scheduler about a thread, by [`Builder::parameters`] or
/// [`Thread::set_parameters`]. What comes of it is the scheduler's to say.
pub use contracts::sched::{Class, Parameters};
pub use kernel::task::function::{Handle as Thread, Scope, ScopedRunning as ScopedJoinHandle, ThreadId, scope};
pub use local::{AccessError, LocalKey};

/// The result of a thread. It is always `Ok`.
pub type Result<T> = core::result::Result<T, Box<dyn Any + Send + 'static>>;

/// The thread that runs.
#[must_use]
pub fn current() -> Thread {
    function::current()
}

/// A thread that can be waited for. Dropping it lets the thread go on alone.
pub struct JoinHandle<T>(Running<T>);

impl<T> JoinHandle<T> {
    /// Waits for its end.
    ///
    /// # Errors
    /// None: a panic ends the machine.
    #[inline]
    pub fn join(self) -> Result<T> {
        Ok(self.0.join())
    }

    /// Whether it has ended.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.0.is_finished()
    }

    /// The thread.
    #[must_use]
    pub fn thread(&self) -> &Thread {
        self.0.handle()
    }
}

impl<T> fmt::Debug for JoinHandle<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("JoinHandle").finish_non_exhaustive()
    }
}

/// Has `work` run in a thread of its own. Panics when there is no memory for it.
#[inline]
pub fn spawn<F, T>(work: F) -> JoinHandle<T>
where
    F: FnOnce() -> T + Send + 'static,
    T: Send + 'static,
{
    match Builder::new().spawn(work) {
        Ok(handle) => handle,
        Err(error) => failed(&error),
    }
}

#[cold]
fn failed(error: &io::Error) -> ! {
    panic!("failed to spawn thread: {error:?}")
}

/// Lets the others run that are ready.
#[inline]
pub fn yield_now() {
    if task::try_current().is_some() {
        task::yield_now();
    }
}

/// Sleeps until somebody unparks this thread, or takes that in advance. May come back without a reason.
pub fn park() {
    function::ready();
    task::park();
}

/// The same, at most so long.
pub fn park_timeout(longest: Duration) {
    function::ready();
    task::sleep_once(deadline_in(longest));
}

/// Sleeps so long, or a little longer.
pub fn sleep(time: Duration) {
    function::ready();
    let deadline = deadline_in(time);
    while task::sleep_once(deadline) {}
}

/// Sleeps until then.
pub fn sleep_until(deadline: Instant) {
    sleep(deadline.saturating_duration_since(Instant::now()));
}

/// The time on the monotonic clock, in nanoseconds, when so much has passed.
pub(crate) fn deadline_in(time: Duration) -> u64 {
    let nanoseconds = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
    contracts::clock::monotonic().saturating_add(nanoseconds)
}

/// How many threads run at the same time.
///
/// # Errors
/// None.
pub fn available_parallelism() -> io::Result<NonZero<usize>> {
    Ok(NonZero::<usize>::MIN)
}

/// Whether this thread is being ended by a panic, of which nobody lives to ask.
#[must_use]
pub const fn panicking() -> bool {
    false
}
