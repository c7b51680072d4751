//! setpgid(2): puts a process into a group.

use linux_abi::Errno;

use super::group;
use crate::{Call, Result, process};

/// The first process leads its session: only staying in its own group is no error.
pub fn setpgid(call: &mut Call) -> Result {
    if call.int(1) < 0 {
        return Err(Errno::EINVAL);
    }
    group::check_id(call.int(0))?;
    let wanted = call.unsigned(1);
    if wanted == 0 || wanted == process().id { Ok(0) } else { Err(Errno::EPERM) }
}
