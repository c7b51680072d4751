//! The working directory and the root.

use alloc::{sync::Arc, vec::Vec};

use identity::Capability;
use linux_abi::{Directory, Errno, FileDescriptor, UserOutput, UserPath, constants::AtFlags, constants::PATH_MAX};
use vfs::{Kind, Node, Rights};

use crate::{
    Result,
    objects::{errors, files, user},
};

/// getcwd(2): the working directory's path with its NUL; answers the length.
pub fn getcwd(buffer: UserOutput, size: usize) -> Result {
    let location = crate::objects::process::location().clone();
    let mut path: Vec<u8> = fs::mounts().path_of(&location.directory, &location.root).ok_or(Errno::ENOENT)?;
    path.push(0);
    if path.len() > PATH_MAX as usize {
        return Err(Errno::ENAMETOOLONG);
    }
    if path.len() > size {
        return Err(Errno::ERANGE);
    }
    user::copy_out(buffer.into(), &path)?;
    Ok(path.len())
}

/// chdir(2): changes where relative paths start.
pub fn chdir(path: UserPath) -> Result {
    enter(files::node_at(Directory::WORKING, path, AtFlags::empty())?)
}

/// Makes `node` the working directory.
pub fn enter(node: Arc<dyn Node>) -> Result {
    check(&node)?;
    // What is left goes when nothing is locked: its file system may have to be asked.
    let left = core::mem::replace(&mut crate::objects::process::location().directory, node);
    drop(left);
    Ok(0)
}

/// ENOTDIR or EACCES for what cannot be a working directory.
pub fn check(node: &Arc<dyn Node>) -> core::result::Result<(), Errno> {
    if node.kind() != Kind::Directory {
        return Err(Errno::ENOTDIR);
    }
    files::credentials().check(&node.metadata(), Rights::EXECUTE).map_err(errors::errno)
}

/// fchdir(2): as chdir, to an open directory.
pub fn fchdir(descriptor: FileDescriptor) -> Result {
    let description = &files::description(descriptor)?;
    enter(Arc::clone(description.entry.counted()))
}

/// chroot(2): changes what `/` means, for root only.
pub fn chroot(path: UserPath) -> Result {
    let node = files::node_at(Directory::WORKING, path, AtFlags::empty())?;
    check(&node)?;
    if !crate::objects::process::may(Capability::SysChroot) {
        return Err(Errno::EPERM);
    }
    // What is left goes when nothing is locked.
    let left = core::mem::replace(&mut crate::objects::process::location().root, node);
    drop(left);
    Ok(0)
}
