//! timer_gettime(2): what a timer has left.

use crate::{Call, Result, objects::time::notice};

/// Writes it.
pub fn timer_gettime(call: &mut Call) -> Result {
    notice::timer(call.int(0))?.ticker.tell_user(call.argument(1))
}
