//! clone(2): makes a thread.

use crate::objects::threads::{self, Wish};
use crate::{Call, Result};

/// Bits of the flags that are the signal at the end of a process.
const SIGNAL: u32 = 0xff;

/// Answers the new thread's id.
pub fn clone(call: &mut Call) -> Result {
    let wish = Wish {
        flags: call.unsigned(0) & !SIGNAL,
        stack: call.argument(1),
        parent_id: call.argument(2),
        child_id: call.argument(3),
        thread_pointer: call.argument(4),
    };
    threads::make(call, wish)
}
