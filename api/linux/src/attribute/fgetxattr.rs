//! fgetxattr(2).

use crate::{Call, Result, attribute::extended};

/// The value of an attribute of an open file.
pub fn fgetxattr(call: &mut Call) -> Result {
    extended::ask_open(call, extended::get)
}
