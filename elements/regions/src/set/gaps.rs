//! What is known of the chunks' gaps, as regions change.

use super::{Keep, Regions};

impl<K: Keep> Regions<K> {
    /// Regions of this chunk have changed: the gaps below them, and the one above.
    #[inline]
    pub(crate) fn forget_gaps(&self, chunk: usize) {
        if K::many() && !self.more.is_empty() {
            self.forget_gaps_of_both(chunk);
        }
    }

    #[cold]
    #[inline(never)]
    fn forget_gaps_of_both(&self, chunk: usize) {
        for chunk in chunk..(chunk + 2).min(self.more.len() + 1) {
            self.count_steps(self.widest.set(chunk, usize::MAX));
        }
    }

    /// Chunk `number` was halved (then there is one more behind it) or took in the next one.
    pub(crate) fn relay_gaps(&mut self, number: usize, halved: bool) {
        let steps = self.widest.lay(self.more.len() + 1, |old, chunk| {
            // What was known of these and of the next one is no longer true.
            let known = !(number..number + 3).contains(&chunk);
            let before =
                if chunk <= number || halved { chunk.saturating_sub(usize::from(chunk > number)) } else { chunk + 1 };
            old.bound(before).filter(|_| known).unwrap_or(usize::MAX)
        });
        self.count_steps(steps);
    }
}
