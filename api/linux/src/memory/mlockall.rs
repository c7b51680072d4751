//! mlockall(2): keeps all pages in memory.

use linux_abi::{
    Errno,
    constants::{MCL_CURRENT, MCL_FUTURE, MCL_ONFAULT},
};

use crate::{Call, Result};

/// Nothing is ever paged out.
pub fn mlockall(call: &mut Call) -> Result {
    let flags = call.unsigned(0);
    let known = flags & !(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT) == 0;
    if known && flags != 0 && flags != MCL_ONFAULT { Ok(0) } else { Err(Errno::EINVAL) }
}
