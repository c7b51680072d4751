//! getdents64(2).

use crate::{Call, Result, directory::listing, files};

/// Directory entries as `struct linux_dirent64`.
pub fn getdents64(call: &mut Call) -> Result {
    files::using(call, |call, description| listing::list(call, description, true))
}
