//! Policies of the scheduler.

use kernel::task;
use linux_abi::{
    Errno, UserAddress,
    constants::{SCHED_FLAG_KEEP_PARAMS, SCHED_FLAG_KEEP_POLICY, SCHED_FLAG_RESET_ON_FORK, SCHED_OTHER},
    structures::SchedulingAttributes,
};
use sched::Class;
use zerocopy::{FromZeros, IntoBytes};

use crate::{
    Result,
    objects::{
        scheduling::{self, ATTRIBUTES_LEAST},
        user,
    },
};

/// sched_getparam(2): a thread's priority.
///
/// 0 but for real-time policies.
pub fn sched_getparam(id: i32, parameter: UserAddress) -> Result {
    if parameter.is_null() {
        return Err(Errno::EINVAL);
    }
    let thread = scheduling::thread(id)?;
    user::answer_int(parameter, task::parameters(&thread).priority.into())
}

/// sched_setparam(2): sets a thread's priority.
///
/// The policy stays.
pub fn sched_setparam(id: i32, parameter: UserAddress) -> Result {
    let priority = scheduling::priority_at(parameter)?;
    let thread = scheduling::to_change(id)?;
    let policy = scheduling::policy(task::parameters(&thread).class);
    scheduling::set(&thread, policy, priority).map(|()| 0)
}

/// sched_getscheduler(2): a thread's policy.
///
/// Answers its number.
pub fn sched_getscheduler(id: i32) -> Result {
    let thread = scheduling::thread(id)?;
    Ok(scheduling::policy(task::parameters(&thread).class) as usize)
}

/// sched_setscheduler(2): sets a thread's policy.
///
/// Sets policy and priority. What they mean is up to the image's scheduler.
pub fn sched_setscheduler(id: i32, policy: u32, parameter: UserAddress) -> Result {
    let priority = scheduling::priority_at(parameter)?;
    let thread = scheduling::to_change(id)?;
    scheduling::set(&thread, policy, priority).map(|()| 0)
}

/// sched_getattr(2): how a thread is scheduled.
///
/// As much of it as the caller knows. How long a turn is the image's scheduler tells nobody: 0.
pub fn sched_getattr(id: i32, attributes: UserAddress, size: u32, flags: u32) -> Result {
    let size = size as usize;
    if attributes.is_null() || !(ATTRIBUTES_LEAST..=machine::PAGE_SIZE).contains(&size) || flags != 0 {
        return Err(Errno::EINVAL);
    }
    let thread = scheduling::thread(id)?;
    let parameters = task::parameters(&thread);
    let is_fair = matches!(parameters.class, Class::Fair | Class::Batch | Class::Idle);
    let known = size.min(size_of::<SchedulingAttributes>());
    let told = SchedulingAttributes {
        size: known as u32,
        sched_policy: scheduling::policy(parameters.class),
        sched_nice: if is_fair { parameters.nice.into() } else { 0 },
        sched_priority: parameters.priority.into(),
        ..SchedulingAttributes::default()
    };
    user::copy_out(attributes, &told.as_bytes()[..known])?;
    Ok(0)
}

/// sched_setattr(2): sets how a thread is scheduled.
///
/// Policy, priority and niceness. Deadlines are not there (EINVAL), nor bounds of use.
pub fn sched_setattr(id: i32, attributes: UserAddress, flags: u32) -> Result {
    if attributes.is_null() || flags != 0 || id < 0 {
        return Err(Errno::EINVAL);
    }
    let wanted = self::attributes(attributes)?;
    let known = u64::from(SCHED_FLAG_RESET_ON_FORK | SCHED_FLAG_KEEP_POLICY | SCHED_FLAG_KEEP_PARAMS);
    if wanted.sched_flags & !known != 0 || wanted.sched_policy as i32 <= -1 {
        return Err(Errno::EINVAL);
    }
    let thread = scheduling::to_change(id)?;
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
fn attributes(address: UserAddress) -> core::result::Result<SchedulingAttributes, Errno> {
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
    if size > most && user::read_array::<u8>(address.wrapping_add(most), size - most)?.iter().any(|&byte| byte != 0) {
        return Err(refused());
    }
    Ok(attributes)
}
