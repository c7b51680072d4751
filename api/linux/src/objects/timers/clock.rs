//! Clocks that can be waited for.

use alloc::sync::{Arc, Weak};

use kernel::task::{self, Thread, Waited};
use linux_abi::{Errno, constants as c};

use crate::{Process, current, objects::process::linux, process};

/// A clock. All count nanoseconds.
#[derive(Clone)]
pub enum Clock {
    /// Time since 1970.
    Wall,
    /// Time since the machine started.
    Monotonic,
    /// The processors' time that a process has had.
    Process(Weak<Process>),
    /// The same for a thread.
    Thread(Weak<Thread>),
}

/// Bits of the number of a processor-time clock below the complement of an id (`include/linux/posix-timers_types.h`).
const ID_SHIFT: u32 = 3;
/// The id is a thread's.
const OF_THREAD: u32 = 4;
/// Which kind of clock; user's time, all time, and the scheduler's time are the same here.
const KIND: u32 = 3;
/// Not processor time: a descriptor's clock.
const OF_DESCRIPTOR: u32 = 3;

impl Clock {
    /// The clock with this number; EINVAL if there is none.
    #[inline(never)]
    pub fn numbered(number: u32) -> Result<Self, Errno> {
        match number {
            c::CLOCK_REALTIME | c::CLOCK_REALTIME_COARSE | c::CLOCK_REALTIME_ALARM | c::CLOCK_TAI => Ok(Self::Wall),
            c::CLOCK_MONOTONIC
            | c::CLOCK_MONOTONIC_RAW
            | c::CLOCK_MONOTONIC_COARSE
            | c::CLOCK_BOOTTIME
            | c::CLOCK_BOOTTIME_ALARM => Ok(Self::Monotonic),
            c::CLOCK_PROCESS_CPUTIME_ID => Ok(Self::of_process()),
            c::CLOCK_THREAD_CPUTIME_ID => Ok(Self::of_thread(&task::current().handle())),
            _ if (number as i32) < 0 && number & KIND != OF_DESCRIPTOR => {
                Self::of(!(number as i32 >> ID_SHIFT), number & OF_THREAD != 0)
            }
            _ => Err(Errno::EINVAL),
        }
    }

    /// The processor time of the running process.
    pub fn of_process() -> Self {
        Self::Process(Arc::downgrade(&current().process))
    }

    fn of_thread(thread: &Arc<Thread>) -> Self {
        Self::Thread(Arc::downgrade(thread))
    }

    /// Processor time by id; 0 is the running one's.
    fn of(id: i32, is_thread: bool) -> Result<Self, Errno> {
        match (id, is_thread) {
            (0, true) => Ok(Self::of_thread(&task::current().handle())),
            (id, true) => process().threads.lock().find(id).map(|thread| Self::of_thread(&thread)).ok_or(Errno::EINVAL),
            (id, false) if id == 0 || id == process().id as i32 => Ok(Self::of_process()),
            _ => Err(Errno::EINVAL),
        }
    }

    /// What it shows. The clock of a thread that has ended stands at 0.
    #[inline(never)]
    pub fn now(&self) -> u64 {
        match self {
            Self::Wall => contracts::clock::wall(),
            Self::Monotonic => contracts::clock::monotonic(),
            Self::Process(process) => process.upgrade().map_or(0, |process| process.processor_time()),
            Self::Thread(thread) => thread.upgrade().map_or(0, |thread| thread.processor_time()),
        }
    }

    /// A moment of the monotonic clock before which this clock cannot show `time`, and when it is worth asking again.
    #[inline(never)]
    pub fn moment(&self, time: u64) -> u64 {
        let Self::Monotonic = self else {
            let missing = time.saturating_sub(self.now());
            // As many threads as there are processors may be using them up.
            let speed = if let Self::Process(_) = self { contracts::processor::count().max(1) as u64 } else { 1 };
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
        let Self::Thread(thread) = self else { return false };
        core::ptr::eq(thread.as_ptr(), task::current())
    }
}

impl Process {
    /// The processors' time that its threads have had, in nanoseconds.
    pub fn processor_time(&self) -> u64 {
        contracts::clock::process_time().unwrap_or_else(|| self.threads.lock().processor_time())
    }
}

/// Whether timers may run by clock `number` (timer_create(2), timerfd_create(2), clock_nanosleep(2)): the exact ones.
pub fn is_exact(number: u32) -> bool {
    !matches!(number, c::CLOCK_MONOTONIC_RAW | c::CLOCK_REALTIME_COARSE | c::CLOCK_MONOTONIC_COARSE)
}

/// The thread `id` of the running process for those who name it to a timer.
pub fn thread_numbered(id: u32) -> Option<Arc<Thread>> {
    process().threads.lock().iter().find(|thread| linux(thread).id() == id).map(Arc::clone)
}
