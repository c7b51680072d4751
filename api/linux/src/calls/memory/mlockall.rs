//! mlockall(2): keeps all pages in memory.

use linux_abi::{
    Errno,
    constants::{MCL_CURRENT, MCL_FUTURE, MCL_ONFAULT},
};

use super::mlock;
use crate::{Call, Result};

/// Locks what there is, what comes, or both. ENOMEM if that is more than may be locked. Pages that cannot be there now are
/// no error.
pub fn mlockall(call: &mut Call) -> Result {
    let flags = call.unsigned(0);
    let known = flags & !(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT) == 0;
    if !known || flags == 0 || flags == MCL_ONFAULT {
        return Err(Errno::EINVAL);
    }
    let most = mlock::most()?;
    let present = flags & MCL_CURRENT != 0;
    let mut mapped = 0;
    crate::space().for_each_region(&mut |region| mapped += region.length());
    if present && mapped > most {
        return Err(Errno::ENOMEM);
    }
    let (new, touched_only) = (flags & MCL_FUTURE != 0, flags & MCL_ONFAULT != 0);
    let space = crate::space();
    space.lock_all(present, new, new && !touched_only);
    if present && !touched_only {
        space.fault_in(space.limits());
    }
    Ok(0)
}
