//! mseal(2): keeps mappings as they are.

use linux_abi::Errno;

use crate::objects::mappings;
use crate::{Call, Result};

/// From now on the pages cannot be unmapped, moved, replaced or protected otherwise (EPERM). ENOMEM if one is not mapped.
pub fn mseal(call: &mut Call) -> Result {
    if call.argument(2) != 0 {
        return Err(Errno::EINVAL);
    }
    let range = mappings::range(call.argument(0), call.argument(1)).map_err(|_| Errno::EINVAL)?;
    if !range.is_empty() {
        crate::space().seal(range).map_err(mappings::errno)?;
    }
    Ok(0)
}
