//! flistxattr(2).

use super::extended;
use crate::{Call, Result};

/// The names of all attributes of an open file.
pub fn flistxattr(call: &mut Call) -> Result {
    extended::ask_open(call, extended::list)
}
