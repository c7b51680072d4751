//! pipe(2).

use super::pipe2;
use crate::{Call, Result};

/// A pipe's two ends.
pub fn pipe(call: &mut Call) -> Result {
    pipe2::make(call.argument(0), 0)
}
