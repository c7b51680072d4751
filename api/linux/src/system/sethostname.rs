//! sethostname(2): names the machine.

use alloc::vec;

use linux_abi::Errno;

use crate::{Call, Result, process, user};

/// Longest name.
const MAX_NAME: usize = 64;

/// EPERM without being root.
pub fn sethostname(call: &mut Call) -> Result {
    if !crate::state::identity().is_privileged() {
        return Err(Errno::EPERM);
    }
    let length = call.argument(1);
    if length > MAX_NAME {
        return Err(Errno::EINVAL);
    }
    let mut name = vec![0; length];
    user::copy_in(&mut name, call.argument(0))?;
    *process().host_name.lock() = crate::text::lossy(&name);
    Ok(0)
}
