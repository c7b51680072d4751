//! Sleeping, and going on with it after a signal without a handler.

use linux_abi::{Errno, UserAddress, structures::TimeSpec};

use crate::{
    Result, current,
    objects::{
        timers::{Sleep, clock::Clock},
        user,
    },
};

impl Sleep {
    /// Sleeps for `length` nanoseconds. What is left when a signal ends that goes to `remaining` (0: nowhere).
    #[inline(never)]
    pub fn relative(clock: Clock, length: u64, remaining: UserAddress) -> Result {
        // Where a sleep is meant by the clock on the wall, only its end is, and this has none.
        let clock = if let Clock::Wall = clock { Clock::Monotonic } else { clock };
        let end = clock.now().saturating_add(length);
        Self { clock, end, remaining }.go_on()
    }

    /// Sleeps. Interrupted, it can be continued by restart_syscall(2), and has written what was left.
    #[inline(never)]
    pub fn go_on(self) -> Result {
        if self.clock.sleep_until(self.end) {
            return Ok(0);
        }
        let left = self.end.saturating_sub(self.clock.now());
        user::write_optional(self.remaining, &TimeSpec::from_nanoseconds(left))?;
        *current().sleep.lock() = Some(self);
        Err(Errno::ERESTARTBLOCK)
    }
}
