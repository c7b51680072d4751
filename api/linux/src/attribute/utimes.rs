//! utimes(2).

use linux_abi::constants::AT_FDCWD;
use vfs::Follow;

use crate::{Call, Result, attribute::moments, files, user};

/// Sets times to the microsecond.
pub fn utimes(call: &mut Call) -> Result {
    let times = moments::from_values(call.argument(1))?;
    let path = user::read_path(call.argument(0))?;
    moments::set(&files::node_at(AT_FDCWD, &path, 0, Follow::Yes)?, times)
}
