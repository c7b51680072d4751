//! shmdt(2): takes shared memory out of the address space.

use linux_abi::Errno;

use crate::{Call, Result};

/// EINVAL where none is attached.
pub fn shmdt(call: &mut Call) -> Result {
    if crate::space().detach(call.argument(0)) { Ok(0) } else { Err(Errno::EINVAL) }
}
