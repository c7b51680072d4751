//! mlock2(2): keeps pages in memory.

use linux_abi::{Errno, constants::MLOCK_ONFAULT};

use crate::{Call, Result, memory::mlock};

/// See mlock.
pub fn mlock2(call: &mut Call) -> Result {
    if call.unsigned(2) & !MLOCK_ONFAULT != 0 {
        return Err(Errno::EINVAL);
    }
    mlock::mlock(call)
}
