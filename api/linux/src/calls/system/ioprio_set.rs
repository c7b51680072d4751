//! ioprio_set(2): sets the priority of input and output.

use core::sync::atomic::Ordering;

use crate::{
    Call, Result,
    objects::{process::linux, scheduling::io_priority},
};

/// It is remembered, and nothing goes by it.
pub fn ioprio_set(call: &mut Call) -> Result {
    let priority = call.unsigned(2) & 0xffff;
    io_priority::check(priority)?;
    for thread in io_priority::threads(call.int(0), call.int(1))? {
        linux(&thread).io_priority.store(priority, Ordering::Relaxed);
    }
    Ok(0)
}
