//! What scheduling calls share: threads by their ids, and Linux' policies in the scheduler's terms.

pub mod io_priority;

use alloc::{sync::Arc, vec, vec::Vec};

use identity::Capability;
use kernel::task::{self, Thread};
use linux_abi::{Errno, UserAddress, constants as c};
use sched::{Class, Parameters};

use crate::{
    Process,
    objects::{
        ability,
        process::{identity, linux, may, table},
        user,
    },
    process,
};

/// The thread with this id, of any process; 0 is the running one.
pub fn thread(id: i32) -> Result<Arc<Thread>, Errno> {
    match id {
        0 => Ok(task::current().handle()),
        id if id < 0 => Err(Errno::EINVAL),
        id => {
            let own = process().threads.lock().find(id);
            own.or_else(|| if ability::processes() { of_others(id) } else { None }).ok_or(Errno::ESRCH)
        }
    }
}

fn of_others(id: i32) -> Option<Arc<Thread>> {
    let process = table::numbered(id)?;
    let threads = process.threads.lock();
    threads.find(id)
}

/// Whether the running process may change how this thread is scheduled (sched(7)): EPERM for another user's without
/// CAP_SYS_NICE.
pub fn may_change(thread: &Thread) -> Result<(), Errno> {
    let target = &linux(thread).process;
    if !ability::processes() || target.id == process().id || may(Capability::SysNice) {
        return Ok(());
    }
    let own = identity().user.effective;
    let user = target.identity.lock().user;
    if own == user.effective || own == user.real { Ok(()) } else { Err(Errno::EPERM) }
}

/// A thread that is to be changed.
pub fn to_change(id: i32) -> Result<Arc<Thread>, Errno> {
    let thread = thread(id)?;
    may_change(&thread).map(|()| thread)
}

/// Bytes of the first version of `struct sched_attr`.
pub const ATTRIBUTES_LEAST: usize = 48;

/// The priority in the `struct sched_param` at `address`: EINVAL for NULL.
pub fn priority_at(address: UserAddress) -> Result<usize, Errno> {
    if address.is_null() { Err(Errno::EINVAL) } else { user::read_int(address) }
}

/// The threads that the pair of arguments of getpriority(2) means: one, or all of a group or user; 0 for the running
/// one's. ESRCH if there are none.
pub fn whose(which: i32, who: i32) -> Result<Vec<Arc<Thread>>, Errno> {
    let found = match which {
        // PRIO_PROCESS, PRIO_PGRP, PRIO_USER
        0 => return thread(who).map(|thread| vec![thread]).map_err(|_| Errno::ESRCH),
        1 => {
            let group = if who == 0 { process().group() } else { who as u32 };
            threads_of(&|process| process.group() == group)
        }
        2 => {
            let user = if who == 0 { identity().user.real } else { who as u32 };
            threads_of(&|process| process.identity.lock().user.real == user)
        }
        _ => return Err(Errno::EINVAL),
    };
    if found.is_empty() { Err(Errno::ESRCH) } else { Ok(found) }
}

/// The threads of all processes that are `meant`.
fn threads_of(meant: &dyn Fn(&Process) -> bool) -> Vec<Arc<Thread>> {
    let mut found = Vec::new();
    for process in table::all().filter_map(table::find).filter(|process| meant(process)) {
        found.extend(process.threads.lock().iter().cloned());
    }
    found
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
    if highest > 0 && !may(Capability::SysNice) {
        return Err(Errno::EPERM);
    }
    let nice = task::parameters(thread).nice;
    task::set_parameters(thread, Parameters { class, priority: priority as u8, nice });
    Ok(())
}
