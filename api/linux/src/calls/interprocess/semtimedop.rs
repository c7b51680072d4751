//! semtimedop(2): semop(2) with a limit of time.

use super::semop;
use crate::{Call, Result, objects::timers::moments::deadline};

/// NULL is no limit.
pub fn semtimedop(call: &mut Call) -> Result {
    let deadline = deadline(call.argument(3))?;
    semop::operate(call, deadline)
}
