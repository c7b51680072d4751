//! What a word of memory is known by to all who may wait for it (futex(2)).

use sync::words::Key;

use super::current;

/// The word at `address` of the running thread's address space, with which no other process has to do
/// (FUTEX_PRIVATE_FLAG): nobody looks what is there.
#[must_use]
#[inline(always)]
pub fn private_word(address: usize) -> Key {
    // The only space of a machine needs no name.
    let several = contracts::config::config().processes;
    Key { owner: if several { core::ptr::from_ref(current().space()).addr() } else { 0 }, at: address }
}

/// The word at `address` of the running thread's address space: its place in the file where one is shown to be stored
/// into, else the private word.
#[must_use]
#[inline]
pub fn word(address: usize) -> Key {
    current().space().shared_word(address).unwrap_or_else(|| private_word(address))
}
