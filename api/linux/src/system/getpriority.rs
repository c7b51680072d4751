//! getpriority(2): niceness.

use crate::{Call, Result, system::scheduling};

/// The raw call answers 20 minus the niceness, which is 0.
pub fn getpriority(call: &mut Call) -> Result {
    scheduling::check_whose(call.int(0), call.int(1))?;
    Ok(20)
}
