//! Where threads wait for a word to become fit.

use core::{fmt, marker::PhantomData, pin::pin};

use crate::{
    Stay, WaitQueue, Waiter,
    atomic::{AtomicU32, Ordering},
};

use super::{Threads, word};

/// A queue of threads, and how many there are, so that nobody looks into an empty one.
///
/// Who changes a word does so in one step of the order that all threads see, and looks at the count afterwards; who
/// waits counts itself first and looks at the word afterwards. One of the two sees the other.
pub struct Gate<T> {
    queue: WaitQueue,
    waiting: AtomicU32,
    threads: PhantomData<fn() -> T>,
}

impl<T: Threads> Gate<T> {
    /// Nobody waits.
    #[must_use]
    pub const fn new() -> Self {
        Self { queue: WaitQueue::new(), waiting: AtomicU32::new(0), threads: PhantomData }
    }

    /// Waits until `ready` holds, which is asked at once and after each opening.
    #[cold]
    #[inline(never)]
    pub fn pass(&self, mut ready: impl FnMut() -> bool) {
        self.wait(&mut ready, || {
            T::park();
            true
        });
    }

    /// The same until `deadline`, in nanoseconds of the monotonic clock; `false` if that came first.
    #[cold]
    #[inline(never)]
    pub fn pass_until(&self, deadline: u64, mut ready: impl FnMut() -> bool) -> bool {
        self.wait(&mut ready, || T::park_until(deadline))
    }

    fn wait(&self, ready: &mut dyn FnMut() -> bool, sleep: impl Fn() -> bool) -> bool {
        assert!(!T::never_wait(), "the only thread waits for another one");
        self.count_in();
        let waiter = pin!(Waiter::new(&self.queue, T::waker(), Stay::Once));
        let passed = loop {
            waiter.as_ref().enter();
            if ready() {
                break true;
            }
            if !sleep() {
                break ready();
            }
        };
        word::add::<T>(&self.waiting, u32::MAX);
        // Who was woken after it had found the word fit, or given up, leaves the wake to the next one.
        if !waiter.as_ref().leave() {
            self.open(1);
        }
        passed
    }

    #[inline]
    #[allow(unsafe_code)]
    fn count_in(&self) {
        if T::take_turns() {
            // SAFETY: these threads take turns, as they promise, and only they use the queue.
            unsafe { self.queue.take_turns() };
        }
        word::add::<T>(&self.waiting, 1);
        word::settle();
    }

    /// Enters the queue, calls `around` with a function that sleeps until the next opening or the deadline, and returns
    /// whether the gate was opened.
    pub fn wait_for_opening(&self, deadline: Option<u64>, around: impl FnOnce(&mut dyn FnMut())) -> bool {
        assert!(!T::never_wait(), "the only thread waits for another one");
        self.count_in();
        let waiter = pin!(Waiter::new(&self.queue, T::waker(), Stay::Once));
        let waiter = waiter.as_ref();
        waiter.enter();
        let mut opened = true;
        around(&mut || {
            loop {
                // Who was told already comes back at once.
                let slept = match deadline {
                    None => {
                        T::park();
                        true
                    }
                    Some(deadline) => T::park_until(deadline),
                };
                if !slept {
                    opened = !waiter.leave();
                }
                if !waiter.is_queued() {
                    break;
                }
            }
        });
        word::add::<T>(&self.waiting, u32::MAX);
        opened
    }

    /// Lets at most `most` of those who wait look again.
    #[inline]
    pub fn open(&self, most: usize) {
        word::settle();
        if !T::never_wait() && self.waiting.load(Ordering::SeqCst) != 0 {
            self.wake(most);
        }
    }

    #[cold]
    #[inline(never)]
    fn wake(&self, most: usize) {
        self.queue.wake(most);
    }
}

impl<T: Threads> Default for Gate<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> fmt::Debug for Gate<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Gate").finish_non_exhaustive()
    }
}
