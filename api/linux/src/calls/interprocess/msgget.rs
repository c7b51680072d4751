//! msgget(2): finds or makes a message queue.

use crate::objects::interprocess::{QUEUES, as_caller, errno, now};
use crate::{Call, Result};

/// Answers its number.
pub fn msgget(call: &mut Call) -> Result {
    let made = as_caller(|caller| QUEUES.lock().get(call.int(0), call.unsigned(1), caller, now()));
    made.map(|number| number as usize).map_err(errno)
}
