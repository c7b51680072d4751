//! utimensat(2).

use linux_abi::{
    Errno,
    constants::{AT_EMPTY_PATH, AT_FDCWD, AT_SYMLINK_NOFOLLOW},
};

use super::moments::{self, Moment};
use crate::{Call, Result};

/// Sets times to the nanosecond. A NULL path means the open file itself (futimens(3)).
pub fn utimensat(call: &mut Call) -> Result {
    let flags = call.unsigned(3);
    if flags & !(AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH) != 0 {
        return Err(Errno::EINVAL);
    }
    let times = moments::from_specs(call.argument(2))?;
    if times == [Moment::Keep; 2] {
        return Ok(0);
    }
    if call.argument(1) == 0 && call.int(0) != AT_FDCWD {
        moments::set_open(call.int(0), &times)
    } else {
        moments::set_at(call.int(0), call.argument(1), flags, &times)
    }
}
