//! Links: names of one file, and files that name others.

use linux_abi::{Directory, Errno, UserAddress, UserOutput, UserPath, constants::AtFlags};
use vfs::{Kind, MakeKind};

use crate::{
    Result,
    objects::{
        descriptors::watching,
        errors,
        files::{self, Seen},
        user,
    },
};

/// link(2): gives a file one more name.
pub fn link(old: UserPath, new: UserPath) -> Result {
    make_link((Directory::WORKING, old), (Directory::WORKING, new), AtFlags::empty())
}

/// linkat(2): gives a file one more name, relative to directories.
pub fn linkat(
    old_directory: Directory,
    old: UserPath,
    new_directory: Directory,
    new: UserPath,
    flags: AtFlags,
) -> Result {
    make_link((old_directory, old), (new_directory, new), flags)
}

/// Links from one place to another; each is a directory and a path.
pub fn make_link(old: (Directory, UserPath), new: (Directory, UserPath), flags: AtFlags) -> Result {
    if !(AtFlags::AT_SYMLINK_FOLLOW | AtFlags::AT_EMPTY_PATH).contains(flags) {
        return Err(Errno::EINVAL);
    }
    let own = if flags.contains(AtFlags::AT_SYMLINK_FOLLOW) { AtFlags::empty() } else { AtFlags::AT_SYMLINK_NOFOLLOW };
    let node = files::node_at(old.0, old.1, flags & AtFlags::AT_EMPTY_PATH | own)?;
    let seen = Seen::at(new.0, new.1)?;
    let found = seen.view().linked(&node, &seen.path).map_err(errors::errno)?;
    watching::linked(&found, &node);
    Ok(0)
}

/// symlink(2): makes a symbolic link.
pub fn symlink(target: UserPath, path: UserPath) -> Result {
    make_symbolic_link(target, Directory::WORKING, path)
}

/// symlinkat(2): makes a symbolic link, relative to a directory.
pub fn symlinkat(target: UserPath, directory: Directory, path: UserPath) -> Result {
    make_symbolic_link(target, directory, path)
}

/// Makes a link with the text at `target` at the path at `address`.
pub fn make_symbolic_link(target: UserPath, directory: Directory, address: UserPath) -> Result {
    let target = user::read_path(target)?;
    if target.is_empty() {
        return Err(Errno::ENOENT);
    }
    files::make(directory, address, MakeKind::Link(&target), 0o777)
}

/// readlink(2): what a symbolic link says.
pub fn readlink(path: UserPath, buffer: UserOutput, size: i32) -> Result {
    read(Directory::WORKING, path, buffer, size)
}

/// readlinkat(2): what a symbolic link says, relative to a directory, or for an empty path the link that the descriptor
/// has open.
pub fn readlinkat(directory: Directory, path: UserPath, buffer: UserOutput, size: i32) -> Result {
    read(directory, path, buffer, size)
}

/// Writes the link's text, cut to `size` bytes and without a NUL.
pub fn read(directory: Directory, address: UserPath, buffer: UserOutput, size: i32) -> Result {
    let size = usize::try_from(size).ok().filter(|&size| size > 0).ok_or(Errno::EINVAL)?;
    let node = files::node_at(directory, address, AtFlags::AT_EMPTY_PATH | AtFlags::AT_SYMLINK_NOFOLLOW)?;
    if node.kind() != Kind::Link {
        let mut first = [0];
        user::copy_in(&mut first, UserAddress(address.0))?;
        return Err(if first == [0] { Errno::ENOENT } else { Errno::EINVAL });
    }
    let text = node.read_link().map_err(errors::errno)?;
    let length = text.len().min(size);
    user::copy_out(buffer.into(), &text[..length])?;
    Ok(length)
}
