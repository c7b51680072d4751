//! readlinkat(2).

use crate::objects::errors;
use linux_abi::{
    Errno,
    constants::{AT_EMPTY_PATH, AT_SYMLINK_NOFOLLOW},
};
use vfs::Kind;

use crate::{
    Call, Result,
    objects::{files, user},
};

/// What a symbolic link says, relative to a directory, or for an empty path the link that the descriptor has open.
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
