//! Priorities of input and output.

use core::sync::atomic::Ordering;

use linux_abi::constants::IOPRIO_WHO_PROCESS;

use crate::{
    Call, Result,
    objects::{process::linux, scheduling::io_priority},
};

/// ioprio_get(2): the priority of input and output.
///
/// A thread's own, or the best of several.
pub fn ioprio_get(call: &mut Call) -> Result {
    let threads = io_priority::threads(call.int(0), call.int(1))?;
    let found = match call.int(0) {
        IOPRIO_WHO_PROCESS => threads.first().map(|thread| io_priority::given(thread)),
        _ => threads.iter().map(|thread| io_priority::effective(thread)).min(),
    };
    Ok(found.unwrap_or(0) as usize)
}

/// ioprio_set(2): sets the priority of input and output.
///
/// It is remembered, and nothing goes by it.
pub fn ioprio_set(call: &mut Call) -> Result {
    let priority = call.unsigned(2) & 0xffff;
    io_priority::check(priority)?;
    for thread in io_priority::threads(call.int(0), call.int(1))? {
        linux(&thread).io_priority.store(priority, Ordering::Relaxed);
    }
    Ok(0)
}
