//! statx(2).

use linux_abi::{
    Errno,
    constants::{AT_EMPTY_PATH, AT_NO_AUTOMOUNT, AT_STATX_DONT_SYNC, AT_STATX_FORCE_SYNC, AT_SYMLINK_NOFOLLOW},
};

use crate::{
    Call, Result,
    objects::{
        files::{self, statx_of},
        user,
    },
};

const KNOWN: u32 = AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT | AT_EMPTY_PATH | AT_STATX_FORCE_SYNC | AT_STATX_DONT_SYNC;

/// The top bit of the mask is reserved.
const RESERVED: u32 = 1 << 31;

/// The basic fields, whatever was asked for.
pub fn statx(call: &mut Call) -> Result {
    let flags = call.unsigned(2);
    let both = AT_STATX_FORCE_SYNC | AT_STATX_DONT_SYNC;
    if flags & !KNOWN != 0 || flags & both == both || call.unsigned(3) & RESERVED != 0 {
        return Err(Errno::EINVAL);
    }
    let node = files::node_at(call.int(0), call.argument(1), flags)?;
    user::answer(call.argument(4), &statx_of(&node.metadata()))
}
