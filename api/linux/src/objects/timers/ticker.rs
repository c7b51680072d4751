//! A timer of Linux: by some clock, once or again and again, told by a signal or a descriptor.

use alloc::{boxed::Box, sync::Arc};

use kernel::timer::{self, Expire, Timer};
use linux_abi::{
    Errno, UserAddress,
    structures::{TimeSpec, TimerSpec},
};
use sync::Mutex;
use timers::Interval;

use super::{clock::Clock, moments};
use crate::{Result, objects::user};

/// Who is told.
pub trait Ring: Send + Sync {
    /// The timer has rung `count` times.
    fn ring(&self, count: u64) -> Heard;
}

/// What a timer is to do when it has rung.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heard {
    /// Wait for [`Ticker::go_on`]: nobody has to be interrupted for what is only counted.
    Enough,
    /// Ring again: a program has been interrupted.
    Yes,
    /// Ring again: nobody has taken notice.
    No,
}

/// Nanoseconds that a program has for itself, however short the interval of a timer that interrupts it: more than a
/// signal, its handler and the way back take. What is missed meanwhile is counted.
pub const RESPITE: u64 = 200_000;
/// The same where nobody takes notice: a tick, as Linux (`posix_timer_fn` in `kernel/time/posix-timers.c`). It also
/// looks at clocks of processor time once a tick.
const TICK: u64 = 4_000_000;

/// A timer by a clock.
pub struct Ticker {
    timer: Timer,
    clock: Clock,
    plan: Mutex<Interval>,
    ring: Box<dyn Ring>,
}

impl Ticker {
    /// One that is off.
    pub fn new(clock: Clock, ring: Box<dyn Ring>) -> Arc<Self> {
        Arc::new(Self { timer: Timer::new(), clock, plan: Mutex::default(), ring })
    }

    /// Nanoseconds left (0: it is off) and from one time to the next.
    pub fn left(&self) -> (u64, u64) {
        self.plan.lock().left(self.clock.now())
    }

    /// Has it ring at `first` (of its clock, or from now on) and then every `interval`; 0 for never. Answers as
    /// [`Ticker::left`] did before.
    #[inline(never)]
    pub fn set(self: &Arc<Self>, first: u64, is_absolute: bool, interval: u64) -> (u64, u64) {
        let now = self.clock.now();
        let plan = Interval::new(first, if is_absolute { None } else { Some(now) }, interval);
        let old = core::mem::replace(&mut *self.plan.lock(), plan);
        self.arm(0);
        old.left(now)
    }

    /// Goes on after a ring that was enough, `respite` nanoseconds later at the earliest; answers how often it would
    /// have rung meanwhile.
    pub fn go_on(self: &Arc<Self>, respite: u64) -> u64 {
        let count = self.plan.lock().take_rung(self.clock.now());
        self.arm(respite);
        count
    }

    /// Waits for the next time, or for the end of a `respite` longer than its interval: then it has rung more often.
    fn arm(self: &Arc<Self>, respite: u64) {
        let plan = *self.plan.lock();
        self.wait(plan, plan.pause(respite));
    }

    /// Waits for the next time, `least` nanoseconds if that comes before.
    fn wait(self: &Arc<Self>, plan: Interval, least: u64) {
        let this: Arc<dyn Expire> = Arc::<Self>::clone(self);
        let Some(next) = plan.next() else { return timer::stop(&this) };
        let mut moment = self.clock.moment(next);
        if least > 0 {
            moment = moment.max(moments::from_now(least));
        }
        timer::set(&this, Some(moment));
    }

    /// Sets it as [`wanted`], and writes what it was to `old`, unless that is 0.
    pub fn set_as(self: &Arc<Self>, (first, interval): (u64, u64), is_absolute: bool, old: UserAddress) -> Result {
        let was = self.set(first, is_absolute, interval);
        user::answer_optional(old, &spec(was))
    }

    /// timer_gettime(2), timerfd_gettime(2).
    pub fn tell_user(&self, address: UserAddress) -> Result {
        user::answer(address, &spec(self.left()))
    }
}

/// First time and interval that the `struct itimerspec` at `address` asks for (timer_settime(2), timerfd_settime(2)).
#[inline(never)]
pub fn wanted(address: UserAddress) -> core::result::Result<(u64, u64), Errno> {
    let wanted: TimerSpec = user::read_struct(address)?;
    let [first, interval] = [wanted.it_value, wanted.it_interval].map(|time| time.nanoseconds().ok_or(Errno::EINVAL));
    Ok((first?, interval?))
}

fn spec((left, interval): (u64, u64)) -> TimerSpec {
    let [it_value, it_interval] = [left, interval].map(TimeSpec::from_nanoseconds);
    TimerSpec { it_interval, it_value }
}

impl Expire for Ticker {
    fn timer(&self) -> &Timer {
        &self.timer
    }

    fn expire(self: Arc<Self>) {
        let count = self.plan.lock().take_rung(self.clock.now());
        if count == 0 {
            // Processor time goes at a pace of its own, and stands still as long as its thread waits.
            let plan = *self.plan.lock();
            return self.wait(plan, TICK);
        }
        match self.ring.ring(count) {
            Heard::Enough => {}
            Heard::Yes => self.arm(RESPITE),
            Heard::No => self.arm(TICK),
        }
    }
}
