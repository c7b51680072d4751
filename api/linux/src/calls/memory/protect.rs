//! What may be done with mapped pages.

use linux_abi::{
    Errno,
    constants::{PROT_GROWSDOWN, PROT_GROWSUP},
};

use crate::{Call, Result, objects::mappings};

/// mprotect(2): changes what may be done with pages.
///
/// ENOMEM if a part is not mapped; what stands before it has changed then, as on Linux.
pub fn mprotect(call: &mut Call) -> Result {
    let bits = call.unsigned(2);
    if bits & PROT_GROWSDOWN != 0 && bits & PROT_GROWSUP != 0 || bits & !(0xf | PROT_GROWSDOWN | PROT_GROWSUP) != 0 {
        return Err(Errno::EINVAL);
    }
    let mut range = mappings::range(call.argument(0), call.argument(1))?;
    if range.is_empty() {
        return Ok(0);
    }
    if bits & (PROT_GROWSDOWN | PROT_GROWSUP) != 0 {
        // The change reaches to where the stack begins. Nothing here grows upwards.
        let region = crate::space().region(range.start).ok_or(Errno::ENOMEM)?;
        if !region.grows_down || bits & PROT_GROWSUP != 0 {
            return Err(Errno::EINVAL);
        }
        range.start = region.start;
    }
    crate::space().protect(range, mappings::protection(bits)).map_err(mappings::errno)?;
    Ok(0)
}

/// mseal(2): keeps mappings as they are.
///
/// From now on the pages cannot be unmapped, moved, replaced or protected otherwise (EPERM). ENOMEM if one is not
/// mapped.
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
