//! What a file is: stat(2) in its forms.

use alloc::sync::Arc;

use linux_abi::{
    Errno,
    constants::{
        AT_EMPTY_PATH, AT_FDCWD, AT_NO_AUTOMOUNT, AT_STATX_DONT_SYNC, AT_STATX_FORCE_SYNC, AT_SYMLINK_NOFOLLOW,
    },
};
use vfs::Node;

use crate::{
    Call, Result,
    objects::{
        files::{self, status_of, statx_of},
        user,
    },
};

/// stat(2): the status of the file at a path.
pub fn stat(call: &mut Call) -> Result {
    by_path(AT_FDCWD, call.argument(0), call.argument(1), 0)
}

/// lstat(2): as stat, but of a link itself.
pub fn lstat(call: &mut Call) -> Result {
    by_path(AT_FDCWD, call.argument(0), call.argument(1), AT_SYMLINK_NOFOLLOW)
}

/// fstat(2): the status of an open file.
pub fn fstat(call: &mut Call) -> Result {
    files::with(call, |call, description| write(&description.entry, call.argument(1)))
}

/// fstatat(2).
///
/// The status of a file, relative to a directory.
pub fn newfstatat(call: &mut Call) -> Result {
    by_path(call.int(0), call.argument(1), call.argument(2), call.unsigned(3))
}

/// Writes the status of what is at the path at `address`.
pub fn by_path(directory: i32, address: usize, status: usize, flags: u32) -> Result {
    if flags & !(AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT | AT_EMPTY_PATH) != 0 {
        return Err(Errno::EINVAL);
    }
    write(&files::node_at(directory, address, flags)?, status)
}

/// Writes the status of a node to `address`.
#[inline(never)]
pub fn write(node: &Arc<dyn Node>, address: usize) -> Result {
    user::answer(address, &status_of(&node.metadata()))
}

const KNOWN: u32 = AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT | AT_EMPTY_PATH | AT_STATX_FORCE_SYNC | AT_STATX_DONT_SYNC;

/// The top bit of the mask is reserved.
const RESERVED: u32 = 1 << 31;

/// statx(2): the basic fields, whatever was asked for.
pub fn statx(call: &mut Call) -> Result {
    let flags = call.unsigned(2);
    let both = AT_STATX_FORCE_SYNC | AT_STATX_DONT_SYNC;
    if flags & !KNOWN != 0 || flags & both == both || call.unsigned(3) & RESERVED != 0 {
        return Err(Errno::EINVAL);
    }
    let node = files::node_at(call.int(0), call.argument(1), flags)?;
    user::answer(call.argument(4), &statx_of(&node.metadata()))
}
