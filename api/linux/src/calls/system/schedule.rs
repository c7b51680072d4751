//! Where and when threads run.

use kernel::task;
use linux_abi::{Errno, UserAddress, structures::TimeSpec};

use crate::{
    Result,
    objects::{scheduling, user},
};

/// sched_yield(2): lets others run.
///
/// Never fails.
pub fn sched_yield() -> Result {
    kernel::task::yield_now();
    Ok(0)
}

/// getcpu(2): which processor this is.
///
/// All memory is on one node.
pub fn getcpu(processor: UserAddress, node: UserAddress, _unused: UserAddress) -> Result {
    user::write_optional(processor, &(contracts::processor::number() as u32))?;
    user::answer_optional(node, &0_u32)
}

/// Bytes of the kernel's processor set.
const SET_SIZE: usize = 8;

/// sched_getaffinity(2): which processors a thread may use.
///
/// Answers the bytes written.
pub fn sched_getaffinity(id: i32, size: usize, mask: UserAddress) -> Result {
    let thread = scheduling::thread(id).map_err(|_| Errno::ESRCH)?;
    if size < SET_SIZE || !size.is_multiple_of(8) {
        return Err(Errno::EINVAL);
    }
    user::write_struct(mask, &task::affinity(&thread))?;
    Ok(SET_SIZE)
}

/// sched_setaffinity(2): chooses processors.
///
/// At least one of those that are there must be among them. Bytes that the caller does not pass are none.
pub fn sched_setaffinity(id: i32, size: usize, mask: UserAddress) -> Result {
    let thread = scheduling::thread(id).map_err(|_| Errno::ESRCH)?;
    scheduling::may_change(&thread)?;
    let mut set = [0; 8];
    let length = size.min(set.len());
    user::copy_in(&mut set[..length], mask)?;
    if task::set_affinity(&thread, u64::from_le_bytes(set)) { Ok(0) } else { Err(Errno::EINVAL) }
}

/// sched_rr_get_interval(2): the time slice.
///
/// 0, which stands for none: how long a turn is the image's scheduler knows, and tells nobody.
pub fn sched_rr_get_interval(id: i32, interval: UserAddress) -> Result {
    scheduling::thread(id)?;
    user::answer(interval, &TimeSpec::default())
}

/// sched_get_priority_max(2): the highest priority of a policy.
///
/// Answers it.
pub fn sched_get_priority_max(policy: u32) -> Result {
    Ok(scheduling::priorities(policy)?.1)
}

/// sched_get_priority_min(2): the lowest priority of a policy.
///
/// Answers it.
pub fn sched_get_priority_min(policy: u32) -> Result {
    Ok(scheduling::priorities(policy)?.0)
}
