//! sync(2).

use crate::{Call, Result};

/// Brings what was written to disks to where it stays. What goes to the host is there when it is written, and what is
/// in memory stays nowhere.
pub fn sync(_call: &mut Call) -> Result {
    // It has no errors, as on Linux.
    let _ = contracts::volumes::flush();
    Ok(0)
}
