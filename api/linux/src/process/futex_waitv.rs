//! futex_waitv(2): waits on several words of memory.

use crate::{Call, Result, process::futex};

/// Answers which of them was woken.
pub fn futex_waitv(call: &mut Call) -> Result {
    futex::several::wait(call)
}
