//! The end of a thread and of its process.

use kernel::task;
use machine::ExitReason;

use crate::{
    Result,
    objects::{end, threads},
};

/// exit(2): ends the thread.
///
/// The last thread ends the process.
pub fn exit(status: i32) -> Result {
    if threads::leave() == 0 {
        return exit_group(status);
    }
    task::exit()
}

/// exit_group(2): ends the process.
///
/// The low eight bits are the status.
pub fn exit_group(status: i32) -> Result {
    end::process(ExitReason::Exited(status as u8))
}
