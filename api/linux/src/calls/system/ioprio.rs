//! Priorities of input and output.

use core::sync::atomic::Ordering;

use linux_abi::constants::IOPRIO_WHO_PROCESS;

use crate::{
    Result,
    objects::{
        process::linux,
        scheduling::{self, io_priority},
    },
};

/// ioprio_get(2): the priority of input and output.
///
/// A thread's own, or the best of several.
pub fn ioprio_get(which: i32, who: i32) -> Result {
    let threads = io_priority::threads(which, who)?;
    let found = match which {
        IOPRIO_WHO_PROCESS => threads.first().map(|thread| io_priority::given(thread)),
        _ => threads.iter().map(|thread| io_priority::effective(thread)).min(),
    };
    Ok(found.unwrap_or(0) as usize)
}

/// ioprio_set(2): sets the priority of input and output.
///
/// It is remembered, and nothing goes by it.
pub fn ioprio_set(which: i32, who: i32, priority: u32) -> Result {
    let priority = priority & 0xffff;
    io_priority::check(priority)?;
    for thread in io_priority::threads(which, who)? {
        scheduling::may_change(&thread)?;
        linux(&thread).io_priority.store(priority, Ordering::Relaxed);
    }
    Ok(0)
}
