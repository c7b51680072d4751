//! Extended attributes: xattr(7). What they share is in [`super::extended`].

use linux_abi::constants::AT_SYMLINK_NOFOLLOW;

use super::extended;
use crate::{Call, Result, objects::files};

/// getxattr(2): the value of an attribute.
pub fn getxattr(call: &mut Call) -> Result {
    extended::ask_at(call, 0, extended::get)
}

/// lgetxattr(2): the value of an attribute of a link itself.
pub fn lgetxattr(call: &mut Call) -> Result {
    extended::ask_at(call, AT_SYMLINK_NOFOLLOW, extended::get)
}

/// fgetxattr(2): the value of an attribute of an open file.
pub fn fgetxattr(call: &mut Call) -> Result {
    extended::ask_open(call, extended::get)
}

/// listxattr(2): the names of all attributes.
pub fn listxattr(call: &mut Call) -> Result {
    extended::ask_at(call, 0, extended::list)
}

/// llistxattr(2): the names of all attributes of a link itself.
pub fn llistxattr(call: &mut Call) -> Result {
    extended::ask_at(call, AT_SYMLINK_NOFOLLOW, extended::list)
}

/// flistxattr(2): the names of all attributes of an open file.
pub fn flistxattr(call: &mut Call) -> Result {
    extended::ask_open(call, extended::list)
}

/// setxattr(2): sets an attribute.
pub fn setxattr(call: &mut Call) -> Result {
    extended::set_at(call, 0)
}

/// lsetxattr(2): sets an attribute of a link itself.
pub fn lsetxattr(call: &mut Call) -> Result {
    extended::set_at(call, AT_SYMLINK_NOFOLLOW)
}

/// fsetxattr(2): sets an attribute of an open file.
pub fn fsetxattr(call: &mut Call) -> Result {
    files::using(call, |call, description| extended::set_open(call, description))
}

/// removexattr(2): takes an attribute away.
pub fn removexattr(call: &mut Call) -> Result {
    extended::remove_at(call, 0)
}

/// lremovexattr(2): takes an attribute away of a link itself.
pub fn lremovexattr(call: &mut Call) -> Result {
    extended::remove_at(call, AT_SYMLINK_NOFOLLOW)
}

/// fremovexattr(2): takes an attribute away of an open file.
pub fn fremovexattr(call: &mut Call) -> Result {
    files::using(call, |call, description| extended::remove_open(call, description))
}
