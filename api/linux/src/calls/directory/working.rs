//! The working directory and the root.

use alloc::{sync::Arc, vec::Vec};

use identity::Capability;
use linux_abi::{
    Errno,
    constants::{AT_FDCWD, PATH_MAX},
};
use vfs::{Kind, Node, Rights};

use crate::{
    Call, Result,
    objects::{errors, files, user},
};

/// getcwd(2): the working directory's path with its NUL; answers the length.
pub fn getcwd(call: &mut Call) -> Result {
    let location = crate::objects::process::location().clone();
    let mut path: Vec<u8> = fs::mounts().path_of(&location.directory, &location.root).ok_or(Errno::ENOENT)?;
    path.push(0);
    if path.len() > PATH_MAX as usize {
        return Err(Errno::ENAMETOOLONG);
    }
    if path.len() > call.argument(1) {
        return Err(Errno::ERANGE);
    }
    user::copy_out(call.argument(0), &path)?;
    Ok(path.len())
}

/// chdir(2): changes where relative paths start.
pub fn chdir(call: &mut Call) -> Result {
    enter(files::node_at(AT_FDCWD, call.argument(0), 0)?)
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
pub fn fchdir(call: &mut Call) -> Result {
    files::with(call, |_, description| enter(Arc::clone(&description.entry)))
}

/// chroot(2): changes what `/` means, for root only.
pub fn chroot(call: &mut Call) -> Result {
    let node = files::node_at(AT_FDCWD, call.argument(0), 0)?;
    check(&node)?;
    if !crate::objects::process::may(Capability::SysChroot) {
        return Err(Errno::EPERM);
    }
    // What is left goes when nothing is locked.
    let left = core::mem::replace(&mut crate::objects::process::location().root, node);
    drop(left);
    Ok(0)
}
