//! sched_getparam(2): a thread's priority.

use kernel::task;
use linux_abi::Errno;

use crate::{
    Call, Result,
    objects::{scheduling, user},
};

/// 0 but for real-time policies.
pub fn sched_getparam(call: &mut Call) -> Result {
    if call.argument(1) == 0 {
        return Err(Errno::EINVAL);
    }
    let thread = scheduling::thread(call.int(0))?;
    user::answer_int(call.argument(1), task::parameters(&thread).priority.into())
}
