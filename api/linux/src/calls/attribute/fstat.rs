//! fstat(2).

use super::newfstatat;
use crate::{Call, Result, objects::files};

/// The status of an open file.
pub fn fstat(call: &mut Call) -> Result {
    files::with(call, |call, description| newfstatat::write(&description.entry, call.argument(1)))
}
