//! getpriority(2): niceness.

use kernel::task;

use crate::{Call, Result, objects::scheduling};

/// The raw call answers 20 minus the niceness.
pub fn getpriority(call: &mut Call) -> Result {
    let thread = scheduling::whose(call.int(0), call.int(1))?;
    Ok((20 - i32::from(task::parameters(&thread).nice)) as usize)
}
