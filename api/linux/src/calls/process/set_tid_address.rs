//! set_tid_address(2): which word is cleared when the thread ends.

use core::sync::atomic::Ordering;

use crate::{Call, Result, current};

/// Answers the thread's id.
pub fn set_tid_address(call: &mut Call) -> Result {
    let thread = current();
    thread.clear_child_id.store(call.argument(0), Ordering::Relaxed);
    Ok(thread.id() as usize)
}
