//! exit_group(2): ends the process.

use machine::ExitReason;

use crate::{Call, Result, objects::end};

/// The low eight bits are the status.
pub fn exit_group(call: &mut Call) -> Result {
    end::end(ExitReason::Exited(call.argument(0) as u8))
}
