//! mlock2(2): keeps pages in memory.

use linux_abi::{Errno, constants::MLOCK_ONFAULT};

use super::mlock;
use crate::{Call, Result};

/// As mlock; with MLOCK_ONFAULT pages come when they are touched.
pub fn mlock2(call: &mut Call) -> Result {
    let flags = call.unsigned(2);
    if flags & !MLOCK_ONFAULT != 0 {
        return Err(Errno::EINVAL);
    }
    mlock::lock(call, flags & MLOCK_ONFAULT == 0)
}
