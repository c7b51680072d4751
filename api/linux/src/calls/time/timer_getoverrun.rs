//! timer_getoverrun(2): how often a timer rang while its signal waited.

use crate::{Call, Result, objects::time::notice};

/// Of the signal that was taken last.
pub fn timer_getoverrun(call: &mut Call) -> Result {
    Ok(notice::timer(call.int(0))?.overrun() as usize)
}
