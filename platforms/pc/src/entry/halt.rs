//! Applications at ring 0 that have stopped the processor.

use machine::{Context, UserMemory as _};

use crate::processor::{self, UserMemory};

/// The instruction `hlt`.
const HLT: u8 = 0xf4;

/// Whether an interrupt found the application behind a `hlt`: it is waiting for nothing, and at ring 3 would have
/// faulted.
pub fn is_behind(context: &Context) -> bool {
    if processor::ring() == 3 {
        return false;
    }
    let mut byte = [0];
    UserMemory.copy_in(&mut byte, (context.rip as usize).wrapping_sub(1)).is_ok() && byte[0] == HLT
}
