//! futex_waitv(2): waits on several words of memory.

use super::futex;
use crate::{Call, Result};

/// Answers which of them was woken.
pub fn futex_waitv(call: &mut Call) -> Result {
    futex::several::wait(call)
}
