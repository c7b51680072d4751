//! membarrier(2): a memory barrier on every processor that runs the process.

use linux_abi::{Errno, constants as c};

use crate::{Call, Result};

/// What is there: for all processes, and for this one, each at once or registered before.
const COMMANDS: u32 = c::MEMBARRIER_CMD_GLOBAL
    | c::MEMBARRIER_CMD_GLOBAL_EXPEDITED
    | c::MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED
    | c::MEMBARRIER_CMD_PRIVATE_EXPEDITED
    | c::MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED
    | c::MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE
    | c::MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE;
/// Those that only say that others will come.
const REGISTERING: u32 = c::MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED
    | c::MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED
    | c::MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE;

/// Registering is not needed, so whoever has not is served too.
pub fn membarrier(call: &mut Call) -> Result {
    match call.unsigned(0) {
        _ if call.unsigned(1) != 0 => Err(Errno::EINVAL),
        c::MEMBARRIER_CMD_QUERY => Ok(COMMANDS as usize),
        command if !command.is_power_of_two() || command & COMMANDS == 0 => Err(Errno::EINVAL),
        command if command & REGISTERING != 0 => Ok(0),
        _ => {
            contracts::processor::synchronize();
            Ok(0)
        }
    }
}
