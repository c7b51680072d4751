//! sched_rr_get_interval(2): the time slice.

use linux_abi::structures::TimeSpec;

use crate::{Call, Result, system::scheduling, user};

/// There are no slices.
pub fn sched_rr_get_interval(call: &mut Call) -> Result {
    scheduling::check_thread(call.int(0))?;
    user::answer(call.argument(1), &TimeSpec::default())
}
