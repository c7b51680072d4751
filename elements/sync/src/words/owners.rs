//! Who owns the words that somebody waits to be handed: what a thread's end must look at, and no more.

use alloc::{
    collections::{BTreeMap, BTreeSet},
    vec::Vec,
};

/// Words that are waited for, and their owners.
#[derive(Debug, Default)]
pub struct Owners {
    /// By its address, a word's owner and how many wait for it.
    words: BTreeMap<usize, (u32, usize)>,
    /// The same words by their owners.
    owned: BTreeSet<(u32, usize)>,
}

impl Owners {
    /// Nobody waits.
    #[must_use]
    pub const fn new() -> Self {
        Self { words: BTreeMap::new(), owned: BTreeSet::new() }
    }

    /// One more waits for `word`, which is `owner`'s.
    pub fn waits(&mut self, word: usize, owner: u32) {
        self.words.entry(word).or_insert((owner, 0)).1 += 1;
        self.passes(word, owner);
    }

    /// One fewer waits for `word`.
    pub fn leaves(&mut self, word: usize) {
        let Some((owner, waiting)) = self.words.get_mut(&word) else { return };
        *waiting -= 1;
        if *waiting == 0 {
            self.owned.remove(&(*owner, word));
            self.words.remove(&word);
        }
    }

    /// `word` is `owner`'s now, if anybody waits for it.
    pub fn passes(&mut self, word: usize, owner: u32) {
        if let Some((last, _)) = self.words.get_mut(&word) {
            self.owned.remove(&(*last, word));
            *last = owner;
            self.owned.insert((owner, word));
        }
    }

    /// The words of `owner`.
    #[must_use]
    pub fn of(&self, owner: u32) -> Vec<usize> {
        self.owned.range((owner, 0)..=(owner, usize::MAX)).map(|(_, word)| *word).collect()
    }
}
