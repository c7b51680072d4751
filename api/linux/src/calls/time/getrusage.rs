//! getrusage(2): what the process has used.

use kernel::task;
use linux_abi::{
    Errno,
    constants::{RUSAGE_CHILDREN, RUSAGE_SELF, RUSAGE_THREAD},
    structures::{ResourceUsage, TimeValue},
};

use crate::{Call, Result, objects::user, process};

/// Time and memory; what is not counted is 0.
pub fn getrusage(call: &mut Call) -> Result {
    let usage = match call.int(0) {
        RUSAGE_SELF => own(process().processor_time()),
        RUSAGE_THREAD => own(task::current().processor_time()),
        RUSAGE_CHILDREN => ResourceUsage::default(),
        _ => return Err(Errno::EINVAL),
    };
    user::answer(call.argument(1), &usage)
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
