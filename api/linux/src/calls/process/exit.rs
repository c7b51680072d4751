//! The end of a thread and of its process.

use kernel::task;
use machine::ExitReason;

use crate::{
    Call, Result,
    objects::{end, threads},
};

/// exit(2): ends the thread.
///
/// The last thread ends the process.
pub fn exit(call: &mut Call) -> Result {
    if threads::leave() == 0 {
        return exit_group(call);
    }
    task::exit()
}

/// exit_group(2): ends the process.
///
/// The low eight bits are the status.
pub fn exit_group(call: &mut Call) -> Result {
    end::process(ExitReason::Exited(call.argument(0) as u8))
}
