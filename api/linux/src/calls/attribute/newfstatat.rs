//! fstatat(2).

use alloc::sync::Arc;

use linux_abi::{
    Errno,
    constants::{AT_EMPTY_PATH, AT_NO_AUTOMOUNT, AT_SYMLINK_NOFOLLOW},
};
use vfs::Node;

use crate::{
    Call, Result,
    objects::{
        files::{self, status_of},
        user,
    },
};

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
