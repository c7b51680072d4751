//! What scheduling calls share: threads by their ids, and Linux' policies in the scheduler's terms.

pub mod io_priority;

use alloc::sync::Arc;

use identity::Capability;
use kernel::task::{self, Thread};
use linux_abi::{Errno, UserAddress, constants as c};
use sched::{Class, Parameters};

use crate::{objects::user, process};

/// The thread with this id; 0 is the running one.
pub fn thread(id: i32) -> Result<Arc<Thread>, Errno> {
    match id {
        0 => Ok(task::current().handle()),
        id if id < 0 => Err(Errno::EINVAL),
        id => process().threads.lock().find(id).ok_or(Errno::ESRCH),
    }
}

/// Bytes of the first version of `struct sched_attr`.
pub const ATTRIBUTES_LEAST: usize = 48;

/// The priority in the `struct sched_param` at `address`: EINVAL for NULL.
pub fn priority_at(address: UserAddress) -> Result<usize, Errno> {
    if address.is_null() { Err(Errno::EINVAL) } else { user::read_int(address) }
}

/// The thread that the pair of arguments of getpriority(2) means: for a group or user, the running one, as all
/// threads are of one.
pub fn whose(which: i32, who: i32) -> Result<Arc<Thread>, Errno> {
    let own = match which {
        // PRIO_PROCESS, PRIO_PGRP, PRIO_USER
        0 => return thread(who).map_err(|_| Errno::ESRCH),
        1 => process().id as i32,
        2 => crate::objects::process::identity().user.real as i32,
        _ => return Err(Errno::EINVAL),
    };
    if who == 0 || who == own { thread(0) } else { Err(Errno::ESRCH) }
}

/// Lowest and highest priority of a policy.
pub fn priorities(policy: u32) -> Result<(usize, usize), Errno> {
    match policy {
        c::SCHED_FIFO | c::SCHED_RR => Ok((1, 99)),
        c::SCHED_OTHER | c::SCHED_BATCH | c::SCHED_IDLE | c::SCHED_DEADLINE => Ok((0, 0)),
        _ => Err(Errno::EINVAL),
    }
}

/// The number of a class.
pub const fn policy(class: Class) -> u32 {
    match class {
        Class::Fair => c::SCHED_OTHER,
        Class::Fifo => c::SCHED_FIFO,
        Class::RoundRobin => c::SCHED_RR,
        Class::Batch => c::SCHED_BATCH,
        Class::Idle => c::SCHED_IDLE,
    }
}

/// Sets a thread's policy, if the priority is one of its. A real-time policy takes a privileged user, as it does on
/// Linux without RLIMIT_RTPRIO.
pub fn set(thread: &Thread, policy: u32, priority: usize) -> Result<(), Errno> {
    let (lowest, highest) = priorities(policy)?;
    // Nobody is scheduled by deadlines that a program sets; and on Linux this call cannot ask for it.
    if policy == c::SCHED_DEADLINE || !(lowest..=highest).contains(&priority) {
        return Err(Errno::EINVAL);
    }
    let class = match policy {
        c::SCHED_FIFO => Class::Fifo,
        c::SCHED_RR => Class::RoundRobin,
        c::SCHED_BATCH => Class::Batch,
        c::SCHED_IDLE => Class::Idle,
        _ => Class::Fair,
    };
    if highest > 0 && !crate::objects::process::may(Capability::SysNice) {
        return Err(Errno::EPERM);
    }
    let nice = task::parameters(thread).nice;
    task::set_parameters(thread, Parameters { class, priority: priority as u8, nice });
    Ok(())
}
