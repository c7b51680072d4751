//! fremovexattr(2).

use crate::{Call, Result, attribute::extended, files};

/// Takes an attribute away of an open file.
pub fn fremovexattr(call: &mut Call) -> Result {
    files::using(call, |call, description| extended::remove_open(call, description))
}
