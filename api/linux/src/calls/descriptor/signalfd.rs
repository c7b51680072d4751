//! signalfd(2): signals to be read.

use super::signalfd4;
use crate::{Call, Result};

/// Without flags.
pub fn signalfd(call: &mut Call) -> Result {
    signalfd4::make(call, 0)
}
