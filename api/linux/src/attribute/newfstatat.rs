//! fstatat(2).

use linux_abi::{
    Errno,
    constants::{AT_EMPTY_PATH, AT_NO_AUTOMOUNT, AT_SYMLINK_NOFOLLOW},
};
use vfs::Follow;

use crate::{
    Call, Result,
    files::{self, status_of},
    user,
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
    let path = user::read_path(address)?;
    let node = files::node_at(directory, &path, flags, follow(flags))?;
    user::write_struct(status, &status_of(&node.metadata()))?;
    Ok(0)
}

/// What AT_SYMLINK_NOFOLLOW means to a walk.
#[must_use]
pub const fn follow(flags: u32) -> Follow {
    if flags & AT_SYMLINK_NOFOLLOW != 0 { Follow::No } else { Follow::Yes }
}
