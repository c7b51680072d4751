//! How locks and devices of any element let the kernel's threads sleep ([`sync::Sleep`]).

use core::sync::atomic::Ordering;

use sync::WaitQueue;

use super::{Thread, breathe, outside, schedule, sleep_on, try_current};

struct Threads;

/// Has those who wait sleep from now on. Before there is a second thread nobody could run meanwhile.
pub(super) fn begin() {
    sync::sleep_by(&Threads);
}

impl Thread {
    /// Whether this thread, which runs, may sleep where it is.
    fn may_sleep(&self) -> bool {
        self.awake.load(Ordering::Relaxed) == 0 && !schedule::takes_in()
    }
}

impl sync::Sleep for Threads {
    fn may_sleep(&self) -> bool {
        try_current().is_some_and(Thread::may_sleep)
    }

    fn keep_awake(&self, awake: bool) {
        if let Some(thread) = try_current() {
            let count = thread.awake.load(Ordering::Relaxed);
            // Only its own thread changes it. One that began before there was anybody to sleep for ends at zero.
            let count = if awake { count + 1 } else { count.saturating_sub(1) };
            thread.awake.store(count, Ordering::Relaxed);
        }
    }

    fn sleep_on(&self, queue: &WaitQueue, ready: &mut dyn FnMut() -> bool) {
        sleep_on(queue, ready);
    }

    fn sleep_outside(&self, ready: &mut dyn FnMut() -> bool) {
        sleep_on(outside(), ready);
    }

    fn give_way(&self) {
        breathe();
    }
}
