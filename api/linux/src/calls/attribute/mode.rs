//! Permissions of files, and those that new files do not get.

use alloc::sync::Arc;

use linux_abi::{
    Errno,
    constants::{AT_EMPTY_PATH, AT_FDCWD, AT_SYMLINK_NOFOLLOW},
};
use vfs::{Change, Kind, Node, Powers, watch::ATTRIBUTES};

use crate::{
    Call, Result,
    objects::files::{self, changing},
};

/// chmod(2): changes the permissions of the file at a path.
pub fn chmod(call: &mut Call) -> Result {
    by_path(AT_FDCWD, call.argument(0), call.unsigned(1), 0)
}

/// fchmod(2): changes the permissions of an open file.
pub fn fchmod(call: &mut Call) -> Result {
    files::using(call, |call, description| {
        changing::change(description, ATTRIBUTES, &mut |node| change(node, call.unsigned(1)))
    })
}

/// fchmodat(2), as the kernel has it: without flags.
///
/// As chmod, relative to a directory.
pub fn fchmodat(call: &mut Call) -> Result {
    by_path(call.int(0), call.argument(1), call.unsigned(2), 0)
}

/// fchmodat2(2): as fchmodat, with flags.
pub fn fchmodat2(call: &mut Call) -> Result {
    by_path(call.int(0), call.argument(1), call.unsigned(2), call.unsigned(3))
}

/// Changes the permissions of what is at the path at `address`.
pub fn by_path(directory: i32, address: usize, mode: u32, flags: u32) -> Result {
    if flags & !(AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH) != 0 {
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
pub fn umask(call: &mut Call) -> Result {
    let mut location = crate::objects::process::location();
    let old = core::mem::replace(&mut location.umask, call.unsigned(0) & 0o777);
    Ok(old as usize)
}
