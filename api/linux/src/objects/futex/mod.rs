//! Futexes: words of memory that are waited for.

pub mod inherit;
pub mod queue;
pub mod robust;

use linux_abi::{Errno, UserAddress};
use sync::words::Key;

use crate::objects::user;

pub use queue::wake;

/// All bits of FUTEX_WAIT_BITSET.
pub const ANY: u32 = u32::MAX;

/// EINVAL for a word that does not lie as a word does.
pub fn check(address: usize) -> core::result::Result<(), Errno> {
    if address.is_multiple_of(size_of::<u32>()) { Ok(()) } else { Err(Errno::EINVAL) }
}

/// Reads a word.
pub fn word(address: usize) -> core::result::Result<u32, Errno> {
    check(address)?;
    Ok(user::read_int(UserAddress(address))? as u32)
}

/// What the word at `address` of the running program is known by; `private` if no other process waits for it.
#[inline(always)]
pub fn key(address: usize, private: bool) -> Key {
    if private { kernel::task::private_word(address) } else { kernel::task::word(address) }
}

/// EAGAIN unless the word is as expected.
pub fn holds(address: usize, expected: u32) -> core::result::Result<(), Errno> {
    if word(address)? == expected { Ok(()) } else { Err(Errno::EAGAIN) }
}
