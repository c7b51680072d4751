//! futimesat(2).

use alloc::sync::Arc;

use crate::{Call, Result, attribute::moments, files};

/// As utimes, relative to a directory; a NULL path means the open file itself.
pub fn futimesat(call: &mut Call) -> Result {
    let times = moments::from_values(call.argument(2))?;
    let node = if call.argument(1) == 0 {
        Arc::clone(&files::usable(call.int(0))?.entry)
    } else {
        files::node_at(call.int(0), call.argument(1), 0)?
    };
    moments::set(&node, &times)
}
