//! The clock on the wall of a virtual machine follows the host's: a machine counts time by a counter that stands still
//! while the host sleeps or a debugger has it, and that nobody corrects.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rustix::fs::Timespec;
use rustix::io::read;
use rustix::time::{Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, timerfd_create, timerfd_settime};

/// Seconds between two corrections, unless the host's clock is set in between.
const INTERVAL: i64 = 15;

/// When to tell the machine the time: at its first word, for it hears what it is told from then on, and at intervals.
/// One that has nothing to say is told after the first of them.
#[derive(Debug)]
pub struct WallClock {
    has_begun: bool,
    /// None where the system has no timers left.
    timer: Option<OwnedFd>,
}

impl WallClock {
    /// For a machine that starts now.
    pub fn new() -> Self {
        let flags = TimerfdFlags::CLOEXEC | TimerfdFlags::NONBLOCK;
        let clock = Self { has_begun: false, timer: timerfd_create(TimerfdClockId::Realtime, flags).ok() };
        clock.wind();
        clock
    }

    /// The machine has said something; whether that is its first word.
    pub fn begin(&mut self) -> bool {
        !std::mem::replace(&mut self.has_begun, true)
    }

    /// The timer ends at once, too, when somebody sets the host's clock, and when the host has slept.
    fn wind(&self) {
        let next = Timespec { tv_sec: now().as_secs() as i64 + INTERVAL, tv_nsec: 0 };
        let time = Itimerspec { it_interval: Timespec { tv_sec: INTERVAL, tv_nsec: 0 }, it_value: next };
        let flags = TimerfdTimerFlags::ABSTIME | TimerfdTimerFlags::CANCEL_ON_SET;
        // Without it the clock goes on as it does.
        let _ = self.timer.as_ref().map(|timer| timerfd_settime(timer, flags, &time));
    }

    /// The timer, to be waited for.
    pub fn timer(&self) -> Option<BorrowedFd<'_>> {
        self.timer.as_ref().map(AsFd::as_fd)
    }

    /// It has ended: begins anew.
    pub fn again(&self) {
        if let Some(timer) = &self.timer
            && read(timer, &mut [0_u8; 8]).is_err()
        {
            self.wind();
        }
    }
}

/// Since 1970.
fn now() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

/// The time as [`wire::ToGuest::Time`] tells it: 256ths of a second, and seconds.
pub fn told() -> (u8, i32) {
    as_told(now())
}

const fn as_told(now: Duration) -> (u8, i32) {
    ((now.subsec_nanos() as u64 * 256 / 1_000_000_000) as u8, now.as_secs() as u32 as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_is_told_in_parts() {
        assert_eq!(as_told(Duration::from_millis(1_500)), (128, 1));
        assert_eq!(as_told(Duration::new(u64::from(u32::MAX), 999_999_999)), (255, -1));
    }

    #[test]
    fn a_timer_waits_for_its_end_or_for_another_time() {
        let mut clock = WallClock::new();
        assert_eq!([clock.begin(), clock.begin()], [true, false], "a first word is the first once");
        let timer = clock.timer().expect("the system has timers");
        assert_eq!(read(timer, &mut [0_u8; 8]), Err(rustix::io::Errno::AGAIN));
        clock.again();
    }
}
