//! fstatfs(2).

use crate::{Call, Result, attribute::statfs, files};

/// The file system that an open file is on.
pub fn fstatfs(call: &mut Call) -> Result {
    statfs::write(&*files::description(call.int(0))?.entry, call.argument(1))
}
