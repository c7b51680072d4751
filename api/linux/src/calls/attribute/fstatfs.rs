//! fstatfs(2).

use super::statfs;
use crate::{Call, Result, objects::files};

/// The file system that an open file is on.
pub fn fstatfs(call: &mut Call) -> Result {
    files::with(call, |call, description| statfs::write(&*description.entry, call.argument(1)))
}
