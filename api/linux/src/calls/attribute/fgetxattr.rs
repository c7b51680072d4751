//! fgetxattr(2).

use super::extended;
use crate::{Call, Result};

/// The value of an attribute of an open file.
pub fn fgetxattr(call: &mut Call) -> Result {
    extended::ask_open(call, extended::get)
}
