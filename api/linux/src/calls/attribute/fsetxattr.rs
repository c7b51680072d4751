//! fsetxattr(2).

use super::extended;
use crate::{Call, Result, objects::files};

/// Sets an attribute of an open file.
pub fn fsetxattr(call: &mut Call) -> Result {
    files::using(call, |call, description| extended::set_open(call, description))
}
