//! personality(2): a program's wishes about its kernel.

use core::sync::atomic::Ordering;

use linux_abi::constants::Personality;

use crate::{Result, process};

/// Asks only.
const QUERY: Personality = Personality::from_bits_retain(u32::MAX);

/// Only whether addresses are random can be wished, from the next execve on; answers the wishes before.
pub fn personality(person: Personality) -> Result {
    let randomize = &process().randomize;
    let old = if randomize.load(Ordering::Relaxed) { Personality::empty() } else { Personality::ADDR_NO_RANDOMIZE };
    if person != QUERY {
        randomize.store(!person.contains(Personality::ADDR_NO_RANDOMIZE), Ordering::Relaxed);
    }
    Ok(old.bits() as usize)
}
