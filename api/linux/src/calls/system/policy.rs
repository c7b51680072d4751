//! Policies of the scheduler.

use kernel::task;
use linux_abi::{
    Errno,
    constants::{SCHED_FLAG_KEEP_PARAMS, SCHED_FLAG_KEEP_POLICY, SCHED_FLAG_RESET_ON_FORK, SCHED_OTHER},
    structures::SchedulingAttributes,
};
use sched::Class;
use zerocopy::{FromZeros, IntoBytes};

use crate::{
    Call, Result,
    objects::{
        scheduling::{self, ATTRIBUTES_LEAST},
        user,
    },
};

/// sched_getparam(2): a thread's priority.
///
/// 0 but for real-time policies.
pub fn sched_getparam(call: &mut Call) -> Result {
    if call.argument(1) == 0 {
        return Err(Errno::EINVAL);
    }
    let thread = scheduling::thread(call.int(0))?;
    user::answer_int(call.argument(1), task::parameters(&thread).priority.into())
}

/// sched_setparam(2): sets a thread's priority.
///
/// The policy stays.
pub fn sched_setparam(call: &mut Call) -> Result {
    let priority = scheduling::priority_at(call.argument(1))?;
    let thread = scheduling::thread(call.int(0))?;
    let policy = scheduling::policy(task::parameters(&thread).class);
    scheduling::set(&thread, policy, priority).map(|()| 0)
}

/// sched_getscheduler(2): a thread's policy.
///
/// Answers its number.
pub fn sched_getscheduler(call: &mut Call) -> Result {
    let thread = scheduling::thread(call.int(0))?;
    Ok(scheduling::policy(task::parameters(&thread).class) as usize)
}

/// sched_setscheduler(2): sets a thread's policy.
///
/// Sets policy and priority. What they mean is up to the image's scheduler.
pub fn sched_setscheduler(call: &mut Call) -> Result {
    let priority = scheduling::priority_at(call.argument(2))?;
    let thread = scheduling::thread(call.int(0))?;
    scheduling::set(&thread, call.unsigned(1), priority).map(|()| 0)
}

/// sched_getattr(2): how a thread is scheduled.
///
/// As much of it as the caller knows. How long a turn is the image's scheduler tells nobody: 0.
pub fn sched_getattr(call: &mut Call) -> Result {
    let (address, size) = (call.argument(1), call.unsigned(2) as usize);
    if address == 0 || !(ATTRIBUTES_LEAST..=machine::PAGE_SIZE).contains(&size) || call.unsigned(3) != 0 {
        return Err(Errno::EINVAL);
    }
    let thread = scheduling::thread(call.int(0))?;
    let parameters = task::parameters(&thread);
    let is_fair = matches!(parameters.class, Class::Fair | Class::Batch | Class::Idle);
    let known = size.min(size_of::<SchedulingAttributes>());
    let attributes = SchedulingAttributes {
        size: known as u32,
        sched_policy: scheduling::policy(parameters.class),
        sched_nice: if is_fair { parameters.nice.into() } else { 0 },
        sched_priority: parameters.priority.into(),
        ..SchedulingAttributes::default()
    };
    user::copy_out(address, &attributes.as_bytes()[..known])?;
    Ok(0)
}

/// sched_setattr(2): sets how a thread is scheduled.
///
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
