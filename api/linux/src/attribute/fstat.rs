//! fstat(2).

use crate::{Call, Result, attribute::newfstatat, files};

/// The status of an open file.
pub fn fstat(call: &mut Call) -> Result {
    files::with(call, |call, description| newfstatat::write(&description.entry, call.argument(1)))
}
