//! sched_setaffinity(2): chooses processors.

use linux_abi::Errno;

use crate::{Call, Result, system::scheduling, user};

/// The one there is must be among them.
pub fn sched_setaffinity(call: &mut Call) -> Result {
    scheduling::check_thread(call.int(0))?;
    if call.argument(1) == 0 {
        return Err(Errno::EINVAL);
    }
    let first: u8 = user::read_struct(call.argument(2))?;
    if first & 1 == 0 { Err(Errno::EINVAL) } else { Ok(0) }
}
