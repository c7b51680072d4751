//! munmap(2): takes mappings away.

use kernel::memory::MemoryError;
use linux_abi::Errno;

use crate::objects::mappings;
use crate::{Call, Result};

/// What is not mapped is passed over.
pub fn munmap(call: &mut Call) -> Result {
    let range = mappings::range(call.argument(0), call.argument(1)).map_err(|_| Errno::EINVAL)?;
    if range.is_empty() {
        return Err(Errno::EINVAL);
    }
    // In line: this call is one of those that are counted.
    kernel::task::current().space().unmap(range).map_err(|error| match error {
        MemoryError::OutOfMemory => Errno::ENOMEM,
        MemoryError::Sealed => Errno::EPERM,
        _ => Errno::EINVAL,
    })?;
    Ok(0)
}
