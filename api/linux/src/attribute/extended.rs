//! Extended attributes (xattr(7)): no file system here has them, and each call says so as Linux does for such a one.

use linux_abi::{
    Errno,
    constants::{AT_FDCWD, AT_SYMLINK_NOFOLLOW},
};

use crate::{Call, Result, files};

/// EOPNOTSUPP for the file at a path, or why there is no such file.
pub fn unsupported_at(call: &mut Call) -> Result {
    none_at(call)?;
    Err(Errno::EOPNOTSUPP)
}

/// As [`unsupported_at`], of a link itself.
pub fn unsupported_link(call: &mut Call) -> Result {
    no_link(call)?;
    Err(Errno::EOPNOTSUPP)
}

/// EOPNOTSUPP for an open file.
pub fn unsupported_open(call: &mut Call) -> Result {
    files::using(call, |_, _| Err(Errno::EOPNOTSUPP))
}

/// An empty list for the file at a path.
pub fn none_at(call: &mut Call) -> Result {
    files::node_at(AT_FDCWD, call.argument(0), 0).map(|_| 0)
}

/// As [`none_at`], of a link itself.
pub fn no_link(call: &mut Call) -> Result {
    files::node_at(AT_FDCWD, call.argument(0), AT_SYMLINK_NOFOLLOW).map(|_| 0)
}
