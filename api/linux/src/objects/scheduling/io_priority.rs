//! Priorities of input and output, which ioprio_set(2) notes: nothing here goes by them.

use alloc::{sync::Arc, vec::Vec};
use core::sync::atomic::Ordering;

use kernel::task::{self, Thread};
use linux_abi::{Errno, constants::IOPRIO_WHO_PROCESS};
use sched::Class;

use crate::objects::{process::linux, scheduling};

/// Bits of a priority below its class, and of them the level's.
const CLASS_SHIFT: u32 = 13;
const LEVELS: u32 = 7;

const NONE: u32 = 0;
const REAL_TIME: u32 = 1;
const BEST_EFFORT: u32 = 2;
const IDLE: u32 = 3;

/// The threads that a pair of arguments means; ESRCH if there are none.
pub fn threads(which: i32, who: i32) -> Result<Vec<Arc<Thread>>, Errno> {
    // IOPRIO_WHO_PROCESS is 1, and PRIO_PROCESS 0; groups and users follow both.
    scheduling::whose(which.wrapping_sub(IOPRIO_WHO_PROCESS), who)
}

/// What a thread was given; no class if nothing.
pub fn given(thread: &Thread) -> u32 {
    linux(thread).io_priority.load(Ordering::Relaxed)
}

/// What counts for a thread: without a class, what its niceness and policy make of it (ioprio_set(2)).
pub fn effective(thread: &Thread) -> u32 {
    let given = given(thread);
    if given >> CLASS_SHIFT != NONE {
        return given;
    }
    let parameters = task::parameters(thread);
    let class = match parameters.class {
        Class::Fifo | Class::RoundRobin => REAL_TIME,
        Class::Idle => IDLE,
        Class::Fair | Class::Batch => BEST_EFFORT,
    };
    class << CLASS_SHIFT | ((i32::from(parameters.nice) + 20) / 5) as u32
}

/// EINVAL for a priority that there is not, EPERM for one that takes privileges.
pub fn check(priority: u32) -> Result<(), Errno> {
    match priority >> CLASS_SHIFT & LEVELS {
        REAL_TIME if crate::objects::process::identity().user.effective != 0 => Err(Errno::EPERM),
        REAL_TIME | BEST_EFFORT | IDLE => Ok(()),
        NONE if priority & LEVELS == 0 => Ok(()),
        _ => Err(Errno::EINVAL),
    }
}
