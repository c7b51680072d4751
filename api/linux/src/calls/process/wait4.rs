//! wait4(2): waits for a child.

use linux_abi::{
    Errno,
    constants::{__WALL, __WCLONE, WCONTINUED, WNOHANG, WUNTRACED},
};

use crate::{Call, Result};

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
