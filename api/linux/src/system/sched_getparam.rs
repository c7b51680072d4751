//! sched_getparam(2): a thread's priority.

use crate::{Call, Result, system::scheduling, user};

/// It is 0, that of SCHED_OTHER.
pub fn sched_getparam(call: &mut Call) -> Result {
    scheduling::check_thread(call.int(0))?;
    user::answer_int(call.argument(1), 0)
}
