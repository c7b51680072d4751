//! What a file is: stat(2) in its forms.

use alloc::sync::Arc;

use linux_abi::{
    Directory, Errno, FileDescriptor, UserAddress, UserPath,
    constants::{AtFlags, StatxMask},
};
use vfs::Node;

use crate::{
    Result,
    objects::{
        files::{self, status_of, statx_of},
        user,
    },
};

/// stat(2): the status of the file at a path.
pub fn stat(path: UserPath, status: UserAddress) -> Result {
    by_path(Directory::WORKING, path, status, AtFlags::empty())
}

/// lstat(2): as stat, but of a link itself.
pub fn lstat(path: UserPath, status: UserAddress) -> Result {
    by_path(Directory::WORKING, path, status, AtFlags::AT_SYMLINK_NOFOLLOW)
}

/// fstat(2): the status of an open file.
// In line with the two handlers that come here: what it does is not much more than the calls to it were.
#[inline(always)]
pub fn fstat(descriptor: FileDescriptor, status: UserAddress) -> Result {
    let description = &files::description_in_line(descriptor)?;
    user::answer_in_line(status, &status_of(&description.entry.metadata()))
}

/// fstatat(2).
///
/// The status of a file, relative to a directory.
pub fn newfstatat(directory: Directory, path: UserPath, status: UserAddress, flags: AtFlags) -> Result {
    // As the C library asks for what is open.
    if flags == AtFlags::AT_EMPTY_PATH && directory != Directory::WORKING && user::is_empty_path(path)? {
        return fstat(directory.descriptor(), status);
    }
    by_path(directory, path, status, flags)
}

/// Writes the status of what is at the path at `address`.
pub fn by_path(directory: Directory, address: UserPath, status: UserAddress, flags: AtFlags) -> Result {
    if !(AtFlags::AT_SYMLINK_NOFOLLOW | AtFlags::AT_NO_AUTOMOUNT | AtFlags::AT_EMPTY_PATH).contains(flags) {
        return Err(Errno::EINVAL);
    }
    write(&files::node_at(directory, address, flags)?, status)
}

/// Writes the status of a node to `address`.
#[inline(never)]
pub fn write(node: &Arc<dyn Node>, address: UserAddress) -> Result {
    user::answer(address, &status_of(&node.metadata()))
}

const KNOWN: AtFlags = AtFlags::AT_SYMLINK_NOFOLLOW
    .union(AtFlags::AT_NO_AUTOMOUNT)
    .union(AtFlags::AT_EMPTY_PATH)
    .union(AtFlags::AT_STATX_FORCE_SYNC)
    .union(AtFlags::AT_STATX_DONT_SYNC);

/// The top bit of the mask is reserved.
const RESERVED: StatxMask = StatxMask::from_bits_retain(1 << 31);

/// statx(2): the basic fields, whatever was asked for.
pub fn statx(directory: Directory, path: UserPath, flags: AtFlags, mask: StatxMask, status: UserAddress) -> Result {
    let both = AtFlags::AT_STATX_FORCE_SYNC | AtFlags::AT_STATX_DONT_SYNC;
    if !KNOWN.contains(flags) || flags.contains(both) || mask.intersects(RESERVED) {
        return Err(Errno::EINVAL);
    }
    let node = files::node_at(directory, path, flags)?;
    user::answer(status, &statx_of(&node.metadata()))
}
