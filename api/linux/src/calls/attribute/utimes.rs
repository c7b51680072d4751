//! utimes(2).

use linux_abi::constants::AT_FDCWD;

use super::moments;
use crate::{Call, Result};

/// Sets times to the microsecond.
pub fn utimes(call: &mut Call) -> Result {
    let times = moments::from_values(call.argument(1))?;
    moments::set_at(AT_FDCWD, call.argument(0), 0, &times)
}
