//! Where and when threads run.

use kernel::task;
use linux_abi::{Errno, structures::TimeSpec};

use crate::{
    Call, Result,
    objects::{scheduling, user},
};

/// sched_yield(2): lets others run.
///
/// Never fails.
pub fn sched_yield(_: &mut Call) -> Result {
    kernel::task::yield_now();
    Ok(0)
}

/// getcpu(2): which processor this is.
///
/// All memory is on one node.
pub fn getcpu(call: &mut Call) -> Result {
    user::write_optional(call.argument(0), &(contracts::processor::number() as u32))?;
    user::answer_optional(call.argument(1), &0_u32)
}

/// Bytes of the kernel's processor set.
const SET_SIZE: usize = 8;

/// sched_getaffinity(2): which processors a thread may use.
///
/// Answers the bytes written.
pub fn sched_getaffinity(call: &mut Call) -> Result {
    let thread = scheduling::thread(call.int(0)).map_err(|_| Errno::ESRCH)?;
    let size = call.argument(1);
    if size < SET_SIZE || !size.is_multiple_of(8) {
        return Err(Errno::EINVAL);
    }
    user::write_struct(call.argument(2), &task::affinity(&thread))?;
    Ok(SET_SIZE)
}

/// sched_setaffinity(2): chooses processors.
///
/// At least one of those that are there must be among them. Bytes that the caller does not pass are none.
pub fn sched_setaffinity(call: &mut Call) -> Result {
    let thread = scheduling::thread(call.int(0)).map_err(|_| Errno::ESRCH)?;
    let mut set = [0; 8];
    let length = call.argument(1).min(set.len());
    user::copy_in(&mut set[..length], call.argument(2))?;
    if task::set_affinity(&thread, u64::from_le_bytes(set)) { Ok(0) } else { Err(Errno::EINVAL) }
}

/// sched_rr_get_interval(2): the time slice.
///
/// 0, which stands for none: how long a turn is the image's scheduler knows, and tells nobody.
pub fn sched_rr_get_interval(call: &mut Call) -> Result {
    scheduling::thread(call.int(0))?;
    user::answer(call.argument(1), &TimeSpec::default())
}

/// sched_get_priority_max(2): the highest priority of a policy.
///
/// Answers it.
pub fn sched_get_priority_max(call: &mut Call) -> Result {
    Ok(scheduling::priorities(call.unsigned(0))?.1)
}

/// sched_get_priority_min(2): the lowest priority of a policy.
///
/// Answers it.
pub fn sched_get_priority_min(call: &mut Call) -> Result {
    Ok(scheduling::priorities(call.unsigned(0))?.0)
}
