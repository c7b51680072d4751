//! Resource limits: getrlimit(2).

use alloc::sync::Arc;
use core::sync::atomic::Ordering;

use identity::Capability;
use kernel::memory::AddressSpace;
use linux_abi::{
    Errno,
    constants::{
        RLIM_INFINITY, RLIM_NLIMITS, RLIMIT_AS, RLIMIT_CORE, RLIMIT_DATA, RLIMIT_FSIZE, RLIMIT_MEMLOCK,
        RLIMIT_MSGQUEUE, RLIMIT_NICE, RLIMIT_NOFILE, RLIMIT_RTPRIO, RLIMIT_SIGPENDING, RLIMIT_STACK,
    },
    structures::ResourceLimit,
};

use super::{Process, process};

/// Bytes that the main stack may have at first (RLIMIT_STACK).
pub const STACK_SIZE: usize = 8 << 20;

/// Most descriptors that RLIMIT_NOFILE may allow (`/proc/sys/fs/nr_open`).
const MOST_DESCRIPTORS: u64 = 1 << 20;

/// The limits a program starts with, as on Debian.
#[must_use]
pub fn initial() -> [ResourceLimit; RLIM_NLIMITS] {
    let both = |limit: u64| ResourceLimit { rlim_cur: limit, rlim_max: limit };
    let mut limits = [both(RLIM_INFINITY); RLIM_NLIMITS];
    limits[RLIMIT_STACK as usize].rlim_cur = STACK_SIZE as u64;
    limits[RLIMIT_CORE as usize].rlim_cur = 0;
    limits[RLIMIT_NOFILE as usize] = ResourceLimit { rlim_cur: 1024, rlim_max: MOST_DESCRIPTORS };
    limits[RLIMIT_MEMLOCK as usize] = both(8 << 20);
    limits[RLIMIT_SIGPENDING as usize] = both(signal_state::MAX_PENDING as u64);
    limits[RLIMIT_MSGQUEUE as usize] = both(819_200);
    limits[RLIMIT_NICE as usize] = both(0);
    limits[RLIMIT_RTPRIO as usize] = both(0);
    limits
}

/// Bytes that the main stack may grow to (RLIMIT_STACK).
pub fn stack() -> usize {
    let limit = process().limits.lock()[RLIMIT_STACK as usize].rlim_cur;
    usize::try_from(limit).unwrap_or(usize::MAX)
}

/// Descriptors have numbers below this (RLIMIT_NOFILE).
pub fn descriptors() -> usize {
    let limit = process().limits.lock_in_line()[RLIMIT_NOFILE as usize].rlim_cur;
    usize::try_from(limit).unwrap_or(usize::MAX)
}

/// A process' limit of `resource`.
pub fn get(process: &Process, resource: u32) -> Result<ResourceLimit, Errno> {
    process.limits.lock().get(resource as usize).copied().ok_or(Errno::EINVAL)
}

/// Sets a process' limit of `resource`: EINVAL if its soft limit is above the hard one, EPERM for raising the hard one
/// without CAP_SYS_RESOURCE, or for more descriptors than anybody may have.
pub fn set(process: &Process, resource: u32, wanted: ResourceLimit) -> Result<(), Errno> {
    let privileged = crate::objects::process::may(Capability::SysResource);
    let mut limits = process.limits.lock();
    let limit = limits.get_mut(resource as usize).ok_or(Errno::EINVAL)?;
    if wanted.rlim_cur > wanted.rlim_max {
        return Err(Errno::EINVAL);
    }
    let is_beyond = resource == RLIMIT_NOFILE && wanted.rlim_max > MOST_DESCRIPTORS;
    if is_beyond || wanted.rlim_max > limit.rlim_max && !privileged {
        return Err(Errno::EPERM);
    }
    *limit = wanted;
    let bytes = |limit: u64| usize::try_from(limit).unwrap_or(usize::MAX);
    if resource == RLIMIT_AS {
        with_space(process, |space| space.set_size_limit(bytes(wanted.rlim_cur)));
    }
    if resource == RLIMIT_DATA {
        // With a limit of 0 Linux holds mappings to the hard one (`may_expand_vm`).
        let of_mappings = if wanted.rlim_cur == 0 { wanted.rlim_max } else { wanted.rlim_cur };
        with_space(process, |space| space.set_data_limit(bytes(of_mappings), bytes(wanted.rlim_cur)));
    }
    if resource == RLIMIT_FSIZE {
        process.longest_file.store(wanted.rlim_cur, Ordering::Relaxed);
    }
    if resource == RLIMIT_STACK {
        with_space(process, |space| space.set_stack_limit(bytes(wanted.rlim_cur)));
    }
    Ok(())
}

/// Shows the address space that a process' threads run in; none if it has ended.
fn with_space(process: &Process, see: impl FnOnce(&AddressSpace)) {
    let thread = process.threads.lock().iter().next().map(Arc::clone);
    if let Some(thread) = thread {
        see(&kernel::task::space_of(&thread));
    }
}
