//! How wide the gaps of chunks are at most: a tournament, so that a gap is found without a look at each chunk.

use alloc::vec::Vec;
use core::cell::Cell;

/// For each chunk a bound of the gaps below its regions; `usize::MAX` where nobody has looked since they changed.
/// Above the bounds, in a tree of pairs, is the greater of two; its root is at 1. Empty as long as there are few
/// chunks: then nothing is known.
#[derive(Clone, Debug, Default)]
pub struct Widest {
    tree: Vec<Cell<usize>>,
}

/// Chunks from which on a tree is kept.
const MANY: usize = 4;

impl Widest {
    /// Where the chunks' bounds begin.
    fn leaves(&self) -> usize {
        self.tree.len() / 2
    }

    /// The bound of a chunk, where there is a tree.
    pub fn bound(&self, chunk: usize) -> Option<usize> {
        self.tree.get(self.leaves() + chunk).map(Cell::get)
    }

    /// Notes a bound; steps done.
    pub fn set(&self, chunk: usize, bound: usize) -> usize {
        let Some(leaf) = self.tree.get(self.leaves() + chunk) else { return 0 };
        let (mut node, mut steps) = (self.leaves() + chunk, 1);
        leaf.set(bound);
        while node > 1 {
            let greater = self.tree[node].get().max(self.tree[node ^ 1].get());
            node /= 2;
            if self.tree[node].replace(greater) == greater {
                break;
            }
            steps += 1;
        }
        steps
    }

    /// The last chunk before `chunk` that may have such a gap; steps done.
    pub fn last_before(&self, chunk: usize, length: usize) -> (Option<usize>, usize) {
        if self.tree.is_empty() {
            return (chunk.checked_sub(1), 1);
        }
        let may = |node: usize| self.tree[node].get() >= length;
        let (mut node, mut steps) = (self.leaves() + chunk, 1);
        while node.is_multiple_of(2) || !may(node - 1) {
            // At the left edge.
            if node.is_power_of_two() {
                return (None, steps);
            }
            node /= 2;
            steps += 1;
        }
        node -= 1;
        while node < self.leaves() {
            node = 2 * node + 1;
            steps += 1;
            if !may(node) {
                node -= 1;
            }
        }
        (Some(node - self.leaves()), steps)
    }

    /// Lays the tree anew for so many chunks. `bound` tells from the old tree what is known of each; steps done.
    pub fn lay(&mut self, chunks: usize, bound: impl Fn(&Self, usize) -> usize) -> usize {
        if chunks < MANY {
            self.tree.clear();
            return 1;
        }
        // One leaf at least stands for what is behind all chunks.
        let leaves = (chunks + 1).next_power_of_two();
        let bounds: Vec<usize> = (0..chunks).map(|chunk| bound(self, chunk)).collect();
        self.tree.clear();
        self.tree.resize(2 * leaves, Cell::new(0));
        for (leaf, bound) in self.tree[leaves..].iter().zip(bounds) {
            leaf.set(bound);
        }
        for node in (1..leaves).rev() {
            self.tree[node].set(self.tree[2 * node].get().max(self.tree[2 * node + 1].get()));
        }
        3 * leaves
    }
}
