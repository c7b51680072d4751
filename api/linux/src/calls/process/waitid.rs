//! waitid(2): waits for a child.

use linux_abi::{
    Errno,
    constants::{WCONTINUED, WEXITED, WUNTRACED},
};

use crate::{Call, Result};

/// There are no children.
pub fn waitid(call: &mut Call) -> Result {
    let asks = call.unsigned(3) & (WEXITED | WUNTRACED | WCONTINUED) != 0;
    // P_ALL, P_PID, P_PGID, P_PIDFD
    let known = call.unsigned(0) <= 3;
    Err(if asks && known { Errno::ECHILD } else { Errno::EINVAL })
}
