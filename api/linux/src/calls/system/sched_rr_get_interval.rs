//! sched_rr_get_interval(2): the time slice.

use linux_abi::structures::TimeSpec;

use crate::{
    Call, Result,
    objects::{scheduling, user},
};

/// 0, which stands for none: how long a turn is the image's scheduler knows, and tells nobody.
pub fn sched_rr_get_interval(call: &mut Call) -> Result {
    scheduling::thread(call.int(0))?;
    user::answer(call.argument(1), &TimeSpec::default())
}
