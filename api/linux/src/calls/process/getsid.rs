//! getsid(2): a process' session.

use core::sync::atomic::Ordering;

use super::group;
use crate::{Call, Result, process};

/// ESRCH for another process.
pub fn getsid(call: &mut Call) -> Result {
    group::check_id(call.int(0))?;
    Ok(process().session.load(Ordering::Relaxed) as usize)
}
