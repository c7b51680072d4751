//! sched_setattr(2): sets how a thread is scheduled.

use kernel::task;
use linux_abi::{
    Errno,
    constants::{SCHED_FLAG_KEEP_PARAMS, SCHED_FLAG_KEEP_POLICY, SCHED_FLAG_RESET_ON_FORK, SCHED_OTHER},
    structures::SchedulingAttributes,
};
use zerocopy::{FromZeros, IntoBytes};

use crate::{
    Call, Result,
    objects::{
        scheduling::{self, ATTRIBUTES_LEAST},
        user,
    },
};

/// Policy, priority and niceness. Deadlines are not there (EINVAL), nor bounds of use.
pub fn sched_setattr(call: &mut Call) -> Result {
    let address = call.argument(1);
    if address == 0 || call.unsigned(2) != 0 || call.int(0) < 0 {
        return Err(Errno::EINVAL);
    }
    let wanted = attributes(address)?;
    let known = u64::from(SCHED_FLAG_RESET_ON_FORK | SCHED_FLAG_KEEP_POLICY | SCHED_FLAG_KEEP_PARAMS);
    if wanted.sched_flags & !known != 0 || wanted.sched_policy as i32 <= -1 {
        return Err(Errno::EINVAL);
    }
    let thread = scheduling::thread(call.int(0))?;
    let old = task::parameters(&thread);
    let keeps = |flag: u32| wanted.sched_flags & u64::from(flag) != 0;
    let policy = if keeps(SCHED_FLAG_KEEP_POLICY) { scheduling::policy(old.class) } else { wanted.sched_policy };
    let (priority, nice) = match keeps(SCHED_FLAG_KEEP_PARAMS) {
        true => (old.priority.into(), old.nice),
        false => (wanted.sched_priority as usize, wanted.sched_nice.clamp(-20, 19) as i8),
    };
    let is_fair = scheduling::priorities(policy)?.1 == 0;
    if is_fair && nice < old.nice && crate::objects::process::identity().user.effective != 0 {
        return Err(Errno::EPERM);
    }
    scheduling::set(&thread, policy, priority)?;
    if policy == SCHED_OTHER || is_fair {
        let parameters = task::parameters(&thread);
        task::set_parameters(&thread, sched::Parameters { nice, ..parameters });
    }
    Ok(0)
}

/// What the caller knows of the structure; what it has behind what is known here must be 0.
fn attributes(address: usize) -> core::result::Result<SchedulingAttributes, Errno> {
    let mut attributes = SchedulingAttributes::new_zeroed();
    let most = size_of::<SchedulingAttributes>();
    let size = match user::read_int(address)? {
        0 => ATTRIBUTES_LEAST,
        size => size,
    };
    let refused = || {
        // The size that is known is told; that it cannot be is no other error.
        let _ = user::answer_int(address, most as u32);
        Errno::E2BIG
    };
    if !(ATTRIBUTES_LEAST..=machine::PAGE_SIZE).contains(&size) {
        return Err(refused());
    }
    user::copy_in(&mut attributes.as_mut_bytes()[..size.min(most)], address)?;
    if size > most && user::read_array::<u8>(address + most, size - most)?.iter().any(|&byte| byte != 0) {
        return Err(refused());
    }
    Ok(attributes)
}
