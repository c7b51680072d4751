//! Extended attributes: xattr(7). What they share is in [`super::extended`].

use alloc::sync::Arc;

use linux_abi::{Directory, FileDescriptor, UserAddress, UserPath, constants::AtFlags, constants::XattrFlags};
use vfs::Node;

use super::extended::{self, Wanted};
use crate::{Errno, Result, objects::files};

fn node(path: UserPath, flags: AtFlags) -> core::result::Result<Arc<dyn Node>, Errno> {
    files::node_at(Directory::WORKING, path, flags)
}

/// getxattr(2): the value of an attribute.
pub fn getxattr(path: UserPath, name: UserPath, value: UserAddress, size: usize) -> Result {
    extended::get(&*node(path, AtFlags::empty())?, name, value, size)
}

/// lgetxattr(2): the value of an attribute of a link itself.
pub fn lgetxattr(path: UserPath, name: UserPath, value: UserAddress, size: usize) -> Result {
    extended::get(&*node(path, AtFlags::AT_SYMLINK_NOFOLLOW)?, name, value, size)
}

/// fgetxattr(2): the value of an attribute of an open file.
pub fn fgetxattr(descriptor: FileDescriptor, name: UserPath, value: UserAddress, size: usize) -> Result {
    extended::get(&*files::usable(descriptor)?.entry, name, value, size)
}

/// listxattr(2): the names of all attributes.
pub fn listxattr(path: UserPath, list: UserAddress, size: usize) -> Result {
    extended::list(&*node(path, AtFlags::empty())?, list, size)
}

/// llistxattr(2): the names of all attributes of a link itself.
pub fn llistxattr(path: UserPath, list: UserAddress, size: usize) -> Result {
    extended::list(&*node(path, AtFlags::AT_SYMLINK_NOFOLLOW)?, list, size)
}

/// flistxattr(2): the names of all attributes of an open file.
pub fn flistxattr(descriptor: FileDescriptor, list: UserAddress, size: usize) -> Result {
    extended::list(&*files::usable(descriptor)?.entry, list, size)
}

/// setxattr(2): sets an attribute.
pub fn setxattr(path: UserPath, name: UserPath, value: UserAddress, size: usize, flags: XattrFlags) -> Result {
    extended::set_at(path, AtFlags::empty(), &Wanted::read(name, value, size, flags)?)
}

/// lsetxattr(2): sets an attribute of a link itself.
pub fn lsetxattr(path: UserPath, name: UserPath, value: UserAddress, size: usize, flags: XattrFlags) -> Result {
    extended::set_at(path, AtFlags::AT_SYMLINK_NOFOLLOW, &Wanted::read(name, value, size, flags)?)
}

/// fsetxattr(2): sets an attribute of an open file.
pub fn fsetxattr(
    descriptor: FileDescriptor,
    name: UserPath,
    value: UserAddress,
    size: usize,
    flags: XattrFlags,
) -> Result {
    let description = &files::usable(descriptor)?;
    extended::set_open(description, &Wanted::read(name, value, size, flags)?)
}

/// removexattr(2): takes an attribute away.
pub fn removexattr(path: UserPath, name: UserPath) -> Result {
    extended::remove_at(path, AtFlags::empty(), name)
}

/// lremovexattr(2): takes an attribute away of a link itself.
pub fn lremovexattr(path: UserPath, name: UserPath) -> Result {
    extended::remove_at(path, AtFlags::AT_SYMLINK_NOFOLLOW, name)
}

/// fremovexattr(2): takes an attribute away of an open file.
pub fn fremovexattr(descriptor: FileDescriptor, name: UserPath) -> Result {
    let description = &files::usable(descriptor)?;
    extended::remove_open(description, name)
}
