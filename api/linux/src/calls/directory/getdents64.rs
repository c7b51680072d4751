//! getdents64(2).

use super::listing;
use crate::{Call, Result, objects::files};

/// Directory entries as `struct linux_dirent64`.
pub fn getdents64(call: &mut Call) -> Result {
    files::using(call, |call, description| listing::list(call, description, true))
}
