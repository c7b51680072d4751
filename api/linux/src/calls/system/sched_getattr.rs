//! sched_getattr(2): how a thread is scheduled.

use kernel::task;
use linux_abi::{Errno, structures::SchedulingAttributes};
use sched::Class;
use zerocopy::IntoBytes;

use crate::{
    Call, Result,
    objects::{
        scheduling::{self, ATTRIBUTES_LEAST},
        user,
    },
};

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
