//! Who owns the words that somebody waits to be handed: what a thread's end must look at, and no more.

use alloc::{
    collections::{BTreeMap, BTreeSet},
    vec::Vec,
};

use super::Key;

/// Words that are waited for, and their owners.
#[derive(Debug, Default)]
pub struct Owners {
    words: BTreeMap<Key, Owned>,
    /// The same words by their owners.
    owned: BTreeSet<(u32, Key)>,
}

#[derive(Debug)]
struct Owned {
    owner: u32,
    /// How many wait for it.
    waiting: usize,
    /// Its address, as the first of those was told it.
    address: usize,
}

impl Owners {
    /// Nobody waits.
    #[must_use]
    pub const fn new() -> Self {
        Self { words: BTreeMap::new(), owned: BTreeSet::new() }
    }

    /// One more waits for `word`, at `address`, which is `owner`'s.
    pub fn waits(&mut self, word: Key, address: usize, owner: u32) {
        self.words.entry(word).or_insert(Owned { owner, waiting: 0, address }).waiting += 1;
        self.passes(word, owner);
    }

    /// One fewer waits for `word`.
    pub fn leaves(&mut self, word: Key) {
        let Some(owned) = self.words.get_mut(&word) else { return };
        owned.waiting -= 1;
        if owned.waiting == 0 {
            self.owned.remove(&(owned.owner, word));
            self.words.remove(&word);
        }
    }

    /// `word` is `owner`'s now, if anybody waits for it.
    pub fn passes(&mut self, word: Key, owner: u32) {
        if let Some(owned) = self.words.get_mut(&word) {
            self.owned.remove(&(owned.owner, word));
            owned.owner = owner;
            self.owned.insert((owner, word));
        }
    }

    /// The words of `owner`, with their addresses.
    #[must_use]
    pub fn of(&self, owner: u32) -> Vec<(Key, usize)> {
        const LEAST: Key = Key { owner: 0, at: 0 };
        const MOST: Key = Key { owner: usize::MAX, at: usize::MAX };
        let words = self.owned.range((owner, LEAST)..=(owner, MOST));
        words.filter_map(|(_, word)| Some((*word, self.words.get(word)?.address))).collect()
    }
}
