//! setpriority(2): sets niceness.

use crate::{Call, Result, system::scheduling};

/// Accepted; one thread has nobody to be nice to.
pub fn setpriority(call: &mut Call) -> Result {
    scheduling::check_whose(call.int(0), call.int(1))?;
    Ok(0)
}
