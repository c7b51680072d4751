//! Sleeping, and going on with it after a signal without a handler.

use kernel::task::{Waited, sleep_until};
use linux_abi::{Errno, structures::TimeSpec};

use crate::{Result, current, time::arguments::until, user};

/// A sleep of relative length that a signal interrupted.
#[derive(Clone, Copy, Debug)]
pub struct Sleep {
    /// When it ends, in nanoseconds of the monotonic clock.
    pub deadline: u64,
    /// Where the time that is left is to be written; 0 for nowhere.
    pub remaining: usize,
}

impl Sleep {
    /// Sleeps. Interrupted, it can be continued by restart_syscall(2), and has written what was left.
    #[inline(never)]
    pub fn relative(self) -> Result {
        match sleep_until(Some(self.deadline), &mut || false) {
            Waited::Ready(()) | Waited::TimedOut => Ok(0),
            Waited::Interrupted => {
                let left = until(self.deadline);
                user::write_optional(self.remaining, &TimeSpec::from_nanoseconds(left))?;
                *current().sleep.lock() = Some(self);
                Err(Errno::ERESTARTBLOCK)
            }
        }
    }

    /// Sleeps until a fixed moment; interrupted, the call can simply be made again.
    pub fn until(deadline: u64) -> Result {
        match sleep_until(Some(deadline), &mut || false) {
            Waited::Ready(()) | Waited::TimedOut => Ok(0),
            Waited::Interrupted => Err(Errno::ERESTARTNOHAND),
        }
    }
}
