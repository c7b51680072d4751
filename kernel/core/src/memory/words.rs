//! What a word of memory is known by to all who may wait for it (futex(2)).

use core::sync::atomic::Ordering::Relaxed;

use sync::words::Key;

use super::AddressSpace;
use crate::task;

/// The word at `address` of the running thread's address space, with which no other process has to do
/// (FUTEX_PRIVATE_FLAG): nobody looks what is there.
#[must_use]
#[inline(always)]
pub fn private_word(address: usize) -> Key {
    // The only space of a machine needs no name.
    let several = contracts::config::config().address_spaces;
    Key { owner: if several { core::ptr::from_ref(&**task::current().space()).addr() } else { 0 }, at: address }
}

/// The word at `address` of the running thread's address space: its place in the file where one is shown to be stored
/// into, else the private word.
#[must_use]
#[inline]
pub fn word(address: usize) -> Key {
    let space = task::current().space();
    let shared = if space.shares.load(Relaxed) { space.shared_word(address) } else { None };
    shared.unwrap_or_else(|| private_word(address))
}

impl AddressSpace {
    /// A file is about to be shown here to be stored into: from now on, words may be others' too.
    pub fn expect_shared_words(&self) {
        self.shares.store(true, Relaxed);
    }

    #[cold]
    #[inline(never)]
    fn shared_word(&self, address: usize) -> Option<Key> {
        let state = self.state.lock();
        let region = state.regions.find(address)?;
        let file = region.file.as_ref().filter(|_| region.source.is_shared())?;
        Some(Key { owner: file.key(), at: region.offset as usize + (address - region.start) })
    }
}
