//! linkat(2).

use linux_abi::{
    Errno,
    constants::{AT_EMPTY_PATH, AT_SYMLINK_FOLLOW},
};
use vfs::Follow;

use crate::{Call, Result, files, user};

/// Gives a file one more name, relative to directories.
pub fn linkat(call: &mut Call) -> Result {
    make((call.int(0), call.argument(1)), (call.int(2), call.argument(3)), call.unsigned(4))
}

/// Links from one place to another; each is a directory descriptor and a path's address.
pub fn make(old: (i32, usize), new: (i32, usize), flags: u32) -> Result {
    if flags & !(AT_SYMLINK_FOLLOW | AT_EMPTY_PATH) != 0 {
        return Err(Errno::EINVAL);
    }
    let old_path = user::read_path(old.1)?;
    let new_path = user::read_path(new.1)?;
    let follow = if flags & AT_SYMLINK_FOLLOW != 0 { Follow::Yes } else { Follow::No };
    let node = files::node_at(old.0, &old_path, flags, follow)?;
    files::change(new.0, &new_path, &|view, _| view.link(&node, &new_path))
}
