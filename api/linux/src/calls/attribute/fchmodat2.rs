//! fchmodat2(2).

use alloc::sync::Arc;

use linux_abi::{
    Errno,
    constants::{AT_EMPTY_PATH, AT_SYMLINK_NOFOLLOW},
};
use vfs::{Change, Kind, Node, Powers, watch::ATTRIBUTES};

use crate::{
    Call, Result,
    objects::{files, files::changing},
};

/// As fchmodat, with flags.
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
