//! Clocks by the numbers that programs name them by, those of processor time among them.

use alloc::sync::{Arc, Weak};

use kernel::task::{self, Thread};
use linux_abi::{Errno, constants as c};

use crate::{
    current,
    objects::{
        process::{Process, linux},
        timers::clock::{Clock, Spender},
    },
    process,
};

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

    /// What the clock with this number shows, the common ones by a short way; EINVAL if there is none.
    #[inline]
    pub fn now_by(number: u32) -> Result<u64, Errno> {
        match number {
            c::CLOCK_MONOTONIC => Ok(contracts::clock::monotonic()),
            c::CLOCK_REALTIME => Ok(contracts::clock::wall()),
            _ => Self::now_by_any(number),
        }
    }

    #[cold]
    #[inline(never)]
    fn now_by_any(number: u32) -> Result<u64, Errno> {
        Ok(Self::numbered(number)?.now())
    }

    /// The processor time of the running process.
    pub fn of_process() -> Self {
        let process: Weak<dyn Spender> = Arc::<Process>::downgrade(&current().process);
        Self::Spent(process)
    }

    fn of_thread(thread: &Arc<Thread>) -> Self {
        let thread: Weak<dyn Spender> = Arc::<Thread>::downgrade(thread);
        Self::Spent(thread)
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
}

impl Spender for Process {
    fn spent(&self) -> u64 {
        self.processor_time()
    }

    fn processors(&self) -> u64 {
        contracts::processor::count().max(1) as u64
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
