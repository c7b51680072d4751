//! Extended attributes (xattr(7)): no file system here has them, and each call says so as Linux does for such a one.

use linux_abi::{Errno, constants::AT_FDCWD};
use vfs::Follow;

use crate::{Result, files, user};

/// EOPNOTSUPP for the file at the path at `address`, or why there is no such file.
pub fn unsupported_at(address: usize, follow: Follow) -> Result {
    let path = user::read_path(address)?;
    files::node_at(AT_FDCWD, &path, 0, follow)?;
    Err(Errno::EOPNOTSUPP)
}

/// EOPNOTSUPP for an open file.
pub fn unsupported_open(descriptor: i32) -> Result {
    files::usable(descriptor)?;
    Err(Errno::EOPNOTSUPP)
}

/// An empty list for the file at the path at `address`.
pub fn none_at(address: usize, follow: Follow) -> Result {
    let path = user::read_path(address)?;
    files::node_at(AT_FDCWD, &path, 0, follow)?;
    Ok(0)
}
