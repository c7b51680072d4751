//! ioprio_get(2): the priority of input and output.

use linux_abi::constants::IOPRIO_WHO_PROCESS;

use crate::{Call, Result, objects::scheduling::io_priority};

/// A thread's own, or the best of several.
pub fn ioprio_get(call: &mut Call) -> Result {
    let threads = io_priority::threads(call.int(0), call.int(1))?;
    let found = match call.int(0) {
        IOPRIO_WHO_PROCESS => threads.first().map(|thread| io_priority::given(thread)),
        _ => threads.iter().map(|thread| io_priority::effective(thread)).min(),
    };
    Ok(found.unwrap_or(0) as usize)
}
