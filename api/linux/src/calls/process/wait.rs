//! Waiting for children, of which there are none.

use linux_abi::{Errno, UserAddress, constants::WaitOptions};

use crate::Result;

/// wait4(2): waits for a child.
///
/// There are no children.
pub fn wait4(id: i32, _status: UserAddress, options: WaitOptions, _usage: UserAddress) -> Result {
    const KNOWN: WaitOptions = WaitOptions::WNOHANG
        .union(WaitOptions::WUNTRACED)
        .union(WaitOptions::WCONTINUED)
        .union(WaitOptions::__WNOTHREAD)
        .union(WaitOptions::__WALL)
        .union(WaitOptions::__WCLONE);
    Err(match id {
        _ if !KNOWN.contains(options) => Errno::EINVAL,
        // It has no opposite, which would be the group.
        i32::MIN => Errno::ESRCH,
        _ => Errno::ECHILD,
    })
}

/// waitid(2): waits for a child.
///
/// There are no children.
pub fn waitid(kind: u32, _id: i32, _information: UserAddress, options: WaitOptions, _usage: UserAddress) -> Result {
    let asks = options.intersects(WaitOptions::WEXITED | WaitOptions::WUNTRACED | WaitOptions::WCONTINUED);
    // P_ALL, P_PID, P_PGID, P_PIDFD
    let known = kind <= 3;
    Err(if asks && known { Errno::ECHILD } else { Errno::EINVAL })
}
