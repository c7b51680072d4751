//! nanosleep(2): sleeps.

use linux_abi::{Errno, structures::TimeSpec};

use crate::{Call, Result, time::Sleep, user};

/// EINTR behind a handler, with what is left.
pub fn nanosleep(call: &mut Call) -> Result {
    let request: TimeSpec = user::read_struct(call.argument(0))?;
    let length = request.nanoseconds().ok_or(Errno::EINVAL)?;
    let deadline = contracts::clock::monotonic().saturating_add(length);
    Sleep { deadline, remaining: call.argument(1) }.relative()
}
