//! getpgid(2): a process' group.

use super::{getpgrp, group};
use crate::{Call, Result};

/// ESRCH for another process.
pub fn getpgid(call: &mut Call) -> Result {
    group::check_id(call.int(0))?;
    getpgrp::getpgrp(call)
}
