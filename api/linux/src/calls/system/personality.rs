//! personality(2): a program's wishes about its kernel.

use core::sync::atomic::Ordering;

use linux_abi::constants::ADDR_NO_RANDOMIZE;

use crate::{Call, Result, process};

/// Asks only.
const QUERY: u32 = u32::MAX;

/// Only whether addresses are random can be wished, from the next execve on; answers the wishes before.
pub fn personality(call: &mut Call) -> Result {
    let randomize = &process().randomize;
    let old = if randomize.load(Ordering::Relaxed) { 0 } else { ADDR_NO_RANDOMIZE };
    let wanted = call.unsigned(0);
    if wanted != QUERY {
        randomize.store(wanted & ADDR_NO_RANDOMIZE == 0, Ordering::Relaxed);
    }
    Ok(old as usize)
}
