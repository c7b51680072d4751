//! Permissions of files, and those that new files do not get.

use alloc::sync::Arc;

use linux_abi::{Directory, Errno, FileDescriptor, UserPath, constants::AtFlags};
use vfs::{Change, Kind, Node, Powers};
use watches::ATTRIBUTES;

use crate::{
    Result,
    objects::files::{self, changing},
};

/// chmod(2): changes the permissions of the file at a path.
pub fn chmod(path: UserPath, mode: u32) -> Result {
    by_path(Directory::WORKING, path, mode, AtFlags::empty())
}

/// fchmod(2): changes the permissions of an open file.
pub fn fchmod(descriptor: FileDescriptor, mode: u32) -> Result {
    let description = &files::usable(descriptor)?;
    changing::change(description, ATTRIBUTES, &mut |node| change(node, mode))
}

/// fchmodat(2), as the kernel has it: without flags.
///
/// As chmod, relative to a directory.
pub fn fchmodat(directory: Directory, path: UserPath, mode: u32) -> Result {
    by_path(directory, path, mode, AtFlags::empty())
}

/// fchmodat2(2): as fchmodat, with flags.
pub fn fchmodat2(directory: Directory, path: UserPath, mode: u32, flags: AtFlags) -> Result {
    by_path(directory, path, mode, flags)
}

/// Changes the permissions of what is at the path at `address`.
pub fn by_path(directory: Directory, address: UserPath, mode: u32, flags: AtFlags) -> Result {
    if !(AtFlags::AT_SYMLINK_NOFOLLOW | AtFlags::AT_EMPTY_PATH).contains(flags) {
        return Err(Errno::EINVAL);
    }
    changing::change_at(directory, address, flags, ATTRIBUTES, &mut |node| change(node, mode))
}

/// Changes a node's permissions, which its owner and root may.
pub fn change(node: &Arc<dyn Node>, mode: u32) -> Result {
    files::check_change(node)?;
    let who = files::credentials();
    let metadata = node.metadata();
    if metadata.kind == Kind::Link {
        return Err(Errno::EOPNOTSUPP);
    }
    if !who.owns(metadata.owner.user) {
        return Err(Errno::EPERM);
    }
    // Someone outside the group cannot give the set-group-ID bit (chmod(2)).
    let kept = if who.may(Powers::MARK) || who.is_in(metadata.owner.group) { 0o7777 } else { 0o5777 };
    files::set_id::see(mode & kept);
    files::done(node.change(&Change { mode: Some(mode & kept), ..Change::default() }))
}

/// umask(2): sets what new files do not get; answers what it was.
pub fn umask(mask: u32) -> Result {
    let mut location = crate::objects::process::location();
    let old = core::mem::replace(&mut location.umask, mask & 0o777);
    Ok(old as usize)
}
