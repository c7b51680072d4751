//! Process groups and sessions of the one process there is.

use linux_abi::Errno;

use crate::process;

/// An id argument: 0 or this process.
pub fn check_id(id: i32) -> Result<(), Errno> {
    if id == 0 || id == process().id as i32 { Ok(()) } else { Err(Errno::ESRCH) }
}
