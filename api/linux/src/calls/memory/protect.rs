//! What may be done with mapped pages.

use linux_abi::{Errno, constants::ProtectionFlags};

use crate::{Result, objects::mappings};

/// From where on a mapping that grows is meant: one way or the other.
const GROWS: ProtectionFlags = ProtectionFlags::PROT_GROWSDOWN.union(ProtectionFlags::PROT_GROWSUP);

/// mprotect(2): changes what may be done with pages.
///
/// ENOMEM if a part is not mapped; what stands before it has changed then, as on Linux.
pub fn mprotect(address: usize, length: usize, protection: ProtectionFlags) -> Result {
    if protection.contains(GROWS) || !ProtectionFlags::NAMED.contains(protection) {
        return Err(Errno::EINVAL);
    }
    let mut range = mappings::range(address, length)?;
    if range.is_empty() {
        return Ok(0);
    }
    if protection.intersects(GROWS) {
        // The change reaches to where the stack begins. Nothing here grows upwards.
        let region = crate::space().region(range.start).ok_or(Errno::ENOMEM)?;
        if !region.grows_down || protection.contains(ProtectionFlags::PROT_GROWSUP) {
            return Err(Errno::EINVAL);
        }
        range.start = region.start;
    }
    crate::space().protect(range, mappings::protection(protection)).map_err(mappings::errno)?;
    Ok(0)
}

/// mseal(2): keeps mappings as they are.
///
/// From now on the pages cannot be unmapped, moved, replaced or protected otherwise (EPERM). ENOMEM if one is not
/// mapped.
pub fn mseal(address: usize, length: usize, flags: usize) -> Result {
    if flags != 0 {
        return Err(Errno::EINVAL);
    }
    let range = mappings::range(address, length).map_err(|_| Errno::EINVAL)?;
    if !range.is_empty() {
        crate::space().seal(range).map_err(mappings::errno)?;
    }
    Ok(0)
}
