//! flistxattr(2).

use crate::{Call, Result, attribute::extended};

/// The names of all attributes of an open file.
pub fn flistxattr(call: &mut Call) -> Result {
    extended::ask_open(call, extended::list)
}
