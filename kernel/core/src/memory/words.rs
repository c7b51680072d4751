//! Words of a file that is shown to be stored into: all who may wait for one know it by its place in the file
//! (futex(2)).

use core::sync::atomic::Ordering::Relaxed;

use sync::words::Key;

use super::AddressSpace;

impl AddressSpace {
    /// A file is about to be shown here to be stored into: from now on, words may be others' too.
    pub fn expect_shared_words(&self) {
        self.shares.store(true, Relaxed);
    }

    /// What the word at `address` is known by in the file that is shown there to be stored into, if one is.
    #[inline(always)]
    pub(crate) fn shared_word(&self, address: usize) -> Option<Key> {
        if self.shares.load(Relaxed) { self.word_of_file(address) } else { None }
    }

    #[cold]
    #[inline(never)]
    fn word_of_file(&self, address: usize) -> Option<Key> {
        let state = self.state.lock();
        let region = state.regions.find(address)?;
        let file = region.file.as_ref().filter(|_| region.source.is_shared())?;
        Some(Key { owner: file.key(), at: region.offset as usize + (address - region.start) })
    }
}
