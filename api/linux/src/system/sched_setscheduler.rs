//! sched_setscheduler(2): sets a thread's policy.

use linux_abi::{
    Errno,
    constants::{SCHED_FIFO, SCHED_RR},
};

use crate::{Call, Result, system::scheduling, user};

/// Ordinary policies are accepted and make no difference; real-time ones are refused as by Linux without rights.
pub fn sched_setscheduler(call: &mut Call) -> Result {
    scheduling::check_thread(call.int(0))?;
    let policy = call.unsigned(1);
    let (lowest, highest) = scheduling::priorities(policy)?;
    let priority = user::read_int(call.argument(2))?;
    if !(lowest..=highest).contains(&priority) {
        return Err(Errno::EINVAL);
    }
    if policy == SCHED_FIFO || policy == SCHED_RR { Err(Errno::EPERM) } else { Ok(0) }
}
