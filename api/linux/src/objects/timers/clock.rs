//! Clocks that can be waited for.

use alloc::sync::Weak;

use kernel::task::{self, Thread, Waited};

/// A clock. All count nanoseconds.
#[derive(Clone)]
pub enum Clock {
    /// Time since 1970.
    Wall,
    /// Time since the machine started.
    Monotonic,
    /// The processors' time that a process or a thread has had.
    Spent(Weak<dyn Spender>),
}

/// Who has had processors' time.
pub trait Spender: Send + Sync {
    /// How much, in nanoseconds.
    fn spent(&self) -> u64;

    /// How many processors may have it at once.
    fn processors(&self) -> u64;
}

impl Spender for Thread {
    fn spent(&self) -> u64 {
        self.processor_time()
    }

    fn processors(&self) -> u64 {
        1
    }
}

impl Clock {
    /// What it shows. The clock of who has ended stands at 0.
    #[inline(never)]
    pub fn now(&self) -> u64 {
        match self {
            Self::Wall => contracts::clock::wall(),
            Self::Monotonic => contracts::clock::monotonic(),
            Self::Spent(whose) => whose.upgrade().map_or(0, |whose| whose.spent()),
        }
    }

    /// A moment of the monotonic clock before which this clock cannot show `time`, and when it is worth asking again.
    #[inline(never)]
    pub fn moment(&self, time: u64) -> u64 {
        let Self::Monotonic = self else {
            let missing = time.saturating_sub(self.now());
            // As many threads as there are processors may be using them up.
            let speed =
                if let Self::Spent(whose) = self { whose.upgrade().map_or(1, |whose| whose.processors()) } else { 1 };
            return crate::objects::timers::moments::from_now(missing.div_ceil(speed));
        };
        time
    }

    /// Sleeps until it shows `time`; `false` if a signal came first.
    #[inline(never)]
    pub fn sleep_until(&self, time: u64) -> bool {
        while self.now() < time {
            if task::sleep_until(Some(self.moment(time)), &mut || false) == Waited::Interrupted {
                return false;
            }
        }
        true
    }

    /// Whether it is the running thread's own time, which does not go on while it sleeps.
    pub fn is_own(&self) -> bool {
        let Self::Spent(whose) = self else { return false };
        core::ptr::addr_eq(whose.as_ptr(), task::current())
    }
}
