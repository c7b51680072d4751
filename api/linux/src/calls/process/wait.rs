//! Waiting for children, of which there are none.

use linux_abi::{
    Errno,
    constants::{__WALL, __WCLONE, WCONTINUED, WEXITED, WNOHANG, WUNTRACED},
};

use crate::{Call, Result};

/// wait4(2): waits for a child.
///
/// There are no children.
pub fn wait4(call: &mut Call) -> Result {
    const KNOWN: u32 = WNOHANG | WUNTRACED | WCONTINUED | 0x2000_0000 | __WALL | __WCLONE;
    Err(match call.int(0) {
        _ if call.unsigned(2) & !KNOWN != 0 => Errno::EINVAL,
        // It has no opposite, which would be the group.
        i32::MIN => Errno::ESRCH,
        _ => Errno::ECHILD,
    })
}

/// waitid(2): waits for a child.
///
/// There are no children.
pub fn waitid(call: &mut Call) -> Result {
    let asks = call.unsigned(3) & (WEXITED | WUNTRACED | WCONTINUED) != 0;
    // P_ALL, P_PID, P_PGID, P_PIDFD
    let known = call.unsigned(0) <= 3;
    Err(if asks && known { Errno::ECHILD } else { Errno::EINVAL })
}
