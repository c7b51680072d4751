//! getpgid(2): a process' group.

use crate::{
    Call, Result,
    process::{getpgrp, group},
};

/// ESRCH for another process.
pub fn getpgid(call: &mut Call) -> Result {
    group::check_id(call.int(0))?;
    getpgrp::getpgrp(call)
}
