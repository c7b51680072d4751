//! sethostname(2): names the machine.

use alloc::vec;

use identity::Capability;
use linux_abi::Errno;

use crate::{Call, Result, objects::user, process};

/// Longest name.
const MAX_NAME: usize = 64;

/// EPERM without CAP_SYS_ADMIN.
pub fn sethostname(call: &mut Call) -> Result {
    if !crate::objects::process::may(Capability::SysAdmin) {
        return Err(Errno::EPERM);
    }
    let length = call.argument(1);
    if length > MAX_NAME {
        return Err(Errno::EINVAL);
    }
    let mut name = vec![0; length];
    user::copy_in(&mut name, call.argument(0))?;
    *process().host_name.lock() = crate::objects::text::lossy(&name);
    Ok(0)
}
