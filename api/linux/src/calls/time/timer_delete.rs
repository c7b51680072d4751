//! timer_delete(2): ends a timer.

use crate::{Call, Result, objects::time::notice};

/// A signal of it that waits comes all the same.
pub fn timer_delete(call: &mut Call) -> Result {
    notice::delete(call.int(0)).map(|()| 0)
}
