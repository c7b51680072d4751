//! futimesat(2).

use super::moments;
use crate::{Call, Result};

/// As utimes, relative to a directory; a NULL path means the open file itself.
pub fn futimesat(call: &mut Call) -> Result {
    let times = moments::from_values(call.argument(2))?;
    if call.argument(1) == 0 {
        moments::set_open(call.int(0), &times)
    } else {
        moments::set_at(call.int(0), call.argument(1), 0, &times)
    }
}
