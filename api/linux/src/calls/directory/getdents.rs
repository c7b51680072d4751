//! getdents(2).

use super::listing;
use crate::{Call, Result, objects::files};

/// Directory entries as `struct linux_dirent`, whose type is the last byte.
pub fn getdents(call: &mut Call) -> Result {
    files::using(call, |call, description| listing::list(call, description, false))
}
