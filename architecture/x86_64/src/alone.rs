//! The one processor of an image whose threads are functions: no application to enter, no interrupts, no set-up.
//!
//! Threads take turns where they wait or yield. What a deadline needs is a clock that is looked at while nobody is
//! ready; a machine may have a way to rest meanwhile.

use core::{
    fmt,
    marker::PhantomData,
    sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed},
};

use machine::{Context, Fault, ThreadHandle, ThreadResources};
use sync::Once;

use crate::{describe, features};

/// The thread that runs.
static THREAD: AtomicUsize = AtomicUsize::new(0);
/// When somebody wants to go on, in nanoseconds of the monotonic clock.
static DEADLINE: AtomicU64 = AtomicU64::new(NEVER);
const NEVER: u64 = u64::MAX;
/// The clock, where somebody has set a deadline: an image where nobody does needs none.
static NOW: Once<fn() -> u64> = Once::new();

/// How a machine passes the time.
pub trait Rest: 'static {
    /// Passes at most `nanoseconds`.
    fn rest(nanoseconds: u64);
}

/// Provider of the contract `alarm`: nothing rings, but who idles knows for how long.
#[derive(Debug, Default)]
pub struct Deadline;

impl Deadline {
    /// The instance.
    #[must_use]
    pub const fn new() -> Self {
        Self
    }
}

impl machine::Alarm for Deadline {
    fn set(&self, deadline: Option<u64>) {
        NOW.call_once(|| contracts::clock::monotonic);
        DEADLINE.store(deadline.unwrap_or(NEVER), Relaxed);
    }
}

/// Provider of the contract `processor`.
#[derive(Debug, Default)]
pub struct Alone<R>(PhantomData<fn() -> R>);

impl<R> Alone<R> {
    /// The instance.
    #[must_use]
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<R: Rest> machine::Processor for Alone<R> {
    #[inline(always)]
    fn thread(&self) -> ThreadHandle {
        THREAD.load(Relaxed)
    }

    /// No thread of such an image has any from a layer above.
    fn resources(&self) -> ThreadResources {
        ThreadResources::default()
    }

    #[inline(always)]
    fn set_thread(&self, thread: ThreadHandle, _: ThreadResources, _: usize) {
        THREAD.store(thread, Relaxed);
    }

    /// Nobody leaves the boot stack for good, so nobody asks where it lies.
    fn boot_stack_top(&self) -> usize {
        0
    }

    #[inline(always)]
    fn number(&self) -> usize {
        0
    }

    #[inline(always)]
    fn count(&self) -> usize {
        1
    }

    #[inline(always)]
    fn is_alone(&self) -> bool {
        true
    }

    fn start_others(&self) {}

    fn notify(&self, _: usize) {}

    fn synchronize(&self) {}

    fn enter(&self, _: &Context) -> ! {
        panic!("this image has no application to enter")
    }

    fn lay(&self, _: usize, _: &Context) {}

    fn enter_laid(&self) -> ! {
        panic!("this image has no application to enter")
    }

    /// Comes back in time for the deadline. Without one nobody could ever become ready.
    fn idle(&self) {
        let deadline = DEADLINE.load(Relaxed);
        let Some(now) = NOW.get().filter(|_| deadline != NEVER) else {
            panic!("every thread waits for another one");
        };
        // A clock of a stated frequency may go faster or slower than the machine's: rest in parts.
        R::rest(deadline.saturating_sub(now()) / 4);
    }

    fn mark_pending(&self) {}

    fn thread_pointer(&self) -> usize {
        0
    }

    fn set_thread_pointer(&self, _: usize) -> bool {
        true
    }

    fn save_extended(&self, address: usize) -> Result<(), Fault> {
        Err(Fault { address })
    }

    fn restore_extended(&self, address: usize) -> Result<(), Fault> {
        Err(Fault { address })
    }

    fn hardware_capabilities(&self) -> [usize; 2] {
        features::hardware_capabilities(false)
    }

    fn describe(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        describe::describe(out, 0)
    }
}
