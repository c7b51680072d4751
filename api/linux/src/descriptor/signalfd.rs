//! signalfd(2): signals to be read.

use crate::{Call, Result, descriptor::signalfd4};

/// Without flags.
pub fn signalfd(call: &mut Call) -> Result {
    signalfd4::make(call, 0)
}
