//! Time that a process has used.

use kernel::task;
use linux_abi::{
    Errno, UserAddress,
    constants::{CLOCK_TICKS, RUSAGE_CHILDREN, RUSAGE_SELF, RUSAGE_THREAD},
    structures::{ProcessTimes, ResourceUsage, TimeValue},
};

use crate::{Result, objects::user, process};

/// getrusage(2): what the process has used.
///
/// Time and memory; what is not counted is 0.
pub fn getrusage(who: i32, usage: UserAddress) -> Result {
    let used = match who {
        RUSAGE_SELF => own(process().processor_time()),
        RUSAGE_THREAD => own(task::current().processor_time()),
        RUSAGE_CHILDREN => of(process().children_time()),
        _ => return Err(Errno::EINVAL),
    };
    user::answer(usage, &used)
}

/// What ended processes have used.
fn of(time: u64) -> ResourceUsage {
    ResourceUsage { ru_utime: TimeValue::from_nanoseconds(time), ..ResourceUsage::default() }
}

/// The kernel's time for a thread counts as its own.
fn own(time: u64) -> ResourceUsage {
    let memory = contracts::memory_report::memory_use();
    ResourceUsage {
        ru_utime: TimeValue::from_nanoseconds(time),
        ru_maxrss: (memory.total.saturating_sub(memory.free) / 1024) as i64,
        ..ResourceUsage::default()
    }
}

const TICK: u64 = 1_000_000_000 / CLOCK_TICKS;

/// times(2): processor time in ticks.
///
/// Answers the ticks since the machine started.
pub fn times(buffer: UserAddress) -> Result {
    let used = (process().processor_time() / TICK) as i64;
    let children = (process().children_time() / TICK) as i64;
    let times = ProcessTimes { tms_utime: used, tms_cutime: children, ..ProcessTimes::default() };
    user::write_optional(buffer, &times)?;
    Ok((contracts::clock::monotonic() / TICK) as usize)
}
