//! fstatfs(2).

use crate::{Call, Result, attribute::statfs, files};

/// The file system that an open file is on.
pub fn fstatfs(call: &mut Call) -> Result {
    files::with(call, |call, description| statfs::write(&*description.entry, call.argument(1)))
}
