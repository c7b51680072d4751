//! fsetxattr(2).

use crate::{Call, Result, attribute::extended, files};

/// Sets an attribute of an open file.
pub fn fsetxattr(call: &mut Call) -> Result {
    files::using(call, |call, description| extended::set_open(call, description))
}
