//! msync(2): writes shared file pages back.

use linux_abi::{
    Errno,
    constants::{MS_ASYNC, MS_INVALIDATE, MS_SYNC},
};

use crate::{Call, Result, memory::arguments};

/// No mapping is written back to a file, so only the arguments are checked.
pub fn msync(call: &mut Call) -> Result {
    let flags = call.unsigned(2);
    if flags & !(MS_ASYNC | MS_INVALIDATE | MS_SYNC) != 0 || flags & (MS_ASYNC | MS_SYNC) == MS_ASYNC | MS_SYNC {
        return Err(Errno::EINVAL);
    }
    arguments::check_mapped(&arguments::range(call.argument(0), call.argument(1))?)?;
    Ok(0)
}
