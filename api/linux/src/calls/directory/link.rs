//! Links: names of one file, and files that name others.

use linux_abi::{
    Errno,
    constants::{AT_EMPTY_PATH, AT_FDCWD, AT_SYMLINK_FOLLOW, AT_SYMLINK_NOFOLLOW},
};
use vfs::{Kind, MakeKind};

use crate::{
    Call, Result,
    objects::{
        descriptors::watching,
        errors,
        files::{self, Seen},
        user,
    },
};

/// link(2): gives a file one more name.
pub fn link(call: &mut Call) -> Result {
    make_link((AT_FDCWD, call.argument(0)), (AT_FDCWD, call.argument(1)), 0)
}

/// linkat(2): gives a file one more name, relative to directories.
pub fn linkat(call: &mut Call) -> Result {
    make_link((call.int(0), call.argument(1)), (call.int(2), call.argument(3)), call.unsigned(4))
}

/// Links from one place to another; each is a directory descriptor and a path's address.
pub fn make_link(old: (i32, usize), new: (i32, usize), flags: u32) -> Result {
    if flags & !(AT_SYMLINK_FOLLOW | AT_EMPTY_PATH) != 0 {
        return Err(Errno::EINVAL);
    }
    let own = if flags & AT_SYMLINK_FOLLOW != 0 { 0 } else { AT_SYMLINK_NOFOLLOW };
    let node = files::node_at(old.0, old.1, flags & AT_EMPTY_PATH | own)?;
    let seen = Seen::at(new.0, new.1)?;
    let found = seen.view().linked(&node, &seen.path).map_err(errors::errno)?;
    watching::linked(&found, &node);
    Ok(0)
}

/// symlink(2): makes a symbolic link.
pub fn symlink(call: &mut Call) -> Result {
    make_symbolic_link(call.argument(0), AT_FDCWD, call.argument(1))
}

/// symlinkat(2): makes a symbolic link, relative to a directory.
pub fn symlinkat(call: &mut Call) -> Result {
    make_symbolic_link(call.argument(0), call.int(1), call.argument(2))
}

/// Makes a link with the text at `target` at the path at `address`.
pub fn make_symbolic_link(target: usize, directory: i32, address: usize) -> Result {
    let target = user::read_path(target)?;
    if target.is_empty() {
        return Err(Errno::ENOENT);
    }
    files::make(directory, address, MakeKind::Link(&target), 0o777)
}

/// readlink(2): what a symbolic link says.
pub fn readlink(call: &mut Call) -> Result {
    read(AT_FDCWD, call.argument(0), call.argument(1), call.int(2))
}

/// readlinkat(2): what a symbolic link says, relative to a directory, or for an empty path the link that the descriptor
/// has open.
pub fn readlinkat(call: &mut Call) -> Result {
    read(call.int(0), call.argument(1), call.argument(2), call.int(3))
}

/// Writes the link's text, cut to `size` bytes and without a NUL.
pub fn read(directory: i32, address: usize, buffer: usize, size: i32) -> Result {
    let size = usize::try_from(size).ok().filter(|&size| size > 0).ok_or(Errno::EINVAL)?;
    let node = files::node_at(directory, address, AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW)?;
    if node.kind() != Kind::Link {
        let mut first = [0];
        user::copy_in(&mut first, address)?;
        return Err(if first == [0] { Errno::ENOENT } else { Errno::EINVAL });
    }
    let text = node.read_link().map_err(errors::errno)?;
    let length = text.len().min(size);
    user::copy_out(buffer, &text[..length])?;
    Ok(length)
}
