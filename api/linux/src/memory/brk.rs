//! brk(2): moves the program break.

use crate::{Call, Result};

/// Answers the break now in force; never an error.
pub fn brk(call: &mut Call) -> Result {
    Ok(crate::space().program_break(call.argument(0)))
}
