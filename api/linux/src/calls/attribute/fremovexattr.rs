//! fremovexattr(2).

use super::extended;
use crate::{Call, Result, objects::files};

/// Takes an attribute away of an open file.
pub fn fremovexattr(call: &mut Call) -> Result {
    files::using(call, |call, description| extended::remove_open(call, description))
}
