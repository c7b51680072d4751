//! linkat(2).

use crate::objects::errors;
use crate::{
    Call, Result,
    objects::{
        descriptors::watching,
        files::{self, Seen},
    },
};
use linux_abi::{
    Errno,
    constants::{AT_EMPTY_PATH, AT_SYMLINK_FOLLOW, AT_SYMLINK_NOFOLLOW},
};

/// Gives a file one more name, relative to directories.
pub fn linkat(call: &mut Call) -> Result {
    make((call.int(0), call.argument(1)), (call.int(2), call.argument(3)), call.unsigned(4))
}

/// Links from one place to another; each is a directory descriptor and a path's address.
pub fn make(old: (i32, usize), new: (i32, usize), flags: u32) -> Result {
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
