//! accept(2).

use super::accept4;
use crate::{Call, Result};

/// As accept4, without flags.
pub fn accept(call: &mut Call) -> Result {
    accept4::take(call, 0)
}
