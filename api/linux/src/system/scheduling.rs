//! What scheduling calls share. With one thread there is nothing to schedule, so wishes are checked and accepted.

use linux_abi::{Errno, constants as c};

use crate::{current, process};

/// A thread id argument: this thread's, or 0.
pub fn check_thread(id: i32) -> Result<(), Errno> {
    match id {
        0 => Ok(()),
        id if id < 0 => Err(Errno::EINVAL),
        id if id == current().id() as i32 => Ok(()),
        _ => Err(Errno::ESRCH),
    }
}

/// The pair of arguments of getpriority(2).
pub fn check_whose(which: i32, who: i32) -> Result<(), Errno> {
    let own = match which {
        // PRIO_PROCESS, PRIO_PGRP, PRIO_USER
        0 | 1 => process().id as i32,
        2 => crate::state::identity().user.real as i32,
        _ => return Err(Errno::EINVAL),
    };
    if who == 0 || who == own { Ok(()) } else { Err(Errno::ESRCH) }
}

/// Lowest and highest priority of a policy.
pub fn priorities(policy: u32) -> Result<(usize, usize), Errno> {
    match policy {
        c::SCHED_FIFO | c::SCHED_RR => Ok((1, 99)),
        c::SCHED_OTHER | c::SCHED_BATCH | c::SCHED_IDLE => Ok((0, 0)),
        _ => Err(Errno::EINVAL),
    }
}
