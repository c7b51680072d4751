//! What a file system is.

use linux_abi::{
    Directory, FileDescriptor, UserAddress, UserPath, constants::AtFlags, constants::NAME_MAX, structures::Statfs,
};
use vfs::Node;

use crate::{
    Result,
    objects::{files, user},
};

/// statfs(2): the file system that a path is on.
pub fn statfs(path: UserPath, status: UserAddress) -> Result {
    write(&*files::node_at(Directory::WORKING, path, AtFlags::empty())?, status)
}

/// Writes what is known about a node's file system.
#[inline(never)]
pub fn write(node: &dyn Node, address: UserAddress) -> Result {
    let system = node.file_system();
    let status = Statfs {
        f_type: system.magic as i64,
        f_bsize: system.block_size as i64,
        f_blocks: system.blocks,
        f_bfree: system.free,
        f_bavail: system.free,
        f_files: system.files,
        f_ffree: system.free_files,
        f_namelen: i64::from(NAME_MAX),
        f_frsize: system.block_size as i64,
        ..Statfs::default()
    };
    user::answer(address, &status)
}

/// fstatfs(2): the file system that an open file is on.
pub fn fstatfs(descriptor: FileDescriptor, status: UserAddress) -> Result {
    let description = &files::description(descriptor)?;
    write(&*description.entry, status)
}
