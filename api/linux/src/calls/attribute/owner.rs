//! Whose a file is.

use alloc::sync::Arc;

use linux_abi::{Directory, Errno, FileDescriptor, UserPath, constants::AtFlags};
use vfs::{Change, Kind, Node, Powers};
use watches::ATTRIBUTES;

use crate::{
    Result,
    objects::files::{self, changing},
};

/// chown(2): changes whose the file at a path is.
pub fn chown(path: UserPath, user: u32, group: u32) -> Result {
    by_path(Directory::WORKING, path, [user, group], AtFlags::empty())
}

/// lchown(2): as chown, but of a link itself.
pub fn lchown(path: UserPath, user: u32, group: u32) -> Result {
    by_path(Directory::WORKING, path, [user, group], AtFlags::AT_SYMLINK_NOFOLLOW)
}

/// fchown(2): changes whose an open file is.
pub fn fchown(descriptor: FileDescriptor, user: u32, group: u32) -> Result {
    let description = &files::usable(descriptor)?;
    let wanted = [user, group];
    changing::change(description, events(wanted), &mut |node| change(node, wanted))
}

/// fchownat(2): as chown, relative to a directory.
pub fn fchownat(directory: Directory, path: UserPath, user: u32, group: u32, flags: AtFlags) -> Result {
    by_path(directory, path, [user, group], flags)
}

/// Changes user and group of what is at the path at `address`.
pub fn by_path(directory: Directory, address: UserPath, wanted: [u32; 2], flags: AtFlags) -> Result {
    if !(AtFlags::AT_SYMLINK_NOFOLLOW | AtFlags::AT_EMPTY_PATH).contains(flags) {
        return Err(Errno::EINVAL);
    }
    changing::change_at(directory, address, flags, events(wanted), &mut |node| change(node, wanted))
}

/// What happens to a node by [`change`].
pub const fn events(wanted: [u32; 2]) -> u32 {
    if matches!(wanted, [u32::MAX, u32::MAX]) { 0 } else { ATTRIBUTES }
}

/// Changes a node's user and group; -1 leaves one alone. Root may all; an owner may give a file to a group of his.
pub fn change(node: &Arc<dyn Node>, wanted: [u32; 2]) -> Result {
    let [user, group] = wanted.map(|id| (id != u32::MAX).then_some(id));
    files::check_change(node)?;
    let who = files::credentials();
    let metadata = node.metadata();
    // The set-user-ID bit does not survive, nor the set-group-ID bit where it means that (chown(2)).
    let is_directory = metadata.kind == Kind::Directory;
    let lost = if is_directory { 0 } else { who.bits_lost(&metadata) };
    let mode = (lost != 0).then_some(metadata.mode & !lost);
    let may_user = user.is_none_or(|user| user == metadata.owner.user);
    let may_group = group.is_none_or(|group| who.is_in(group));
    let changes = user.is_some() || group.is_some() || mode.is_some();
    if changes && !(who.may(Powers::GIVE) || metadata.owner.user == who.user && may_user && may_group) {
        return Err(Errno::EPERM);
    }
    files::done(node.change(&Change { user, group, mode, ..Change::default() }))
}
