//! Nodes found below a short while ago, so that finding them again asks nobody.

use alloc::{sync::Arc, vec::Vec};
use core::mem;

use crate::{Node, same};

/// The nodes found last, in a ring.
pub(super) struct Recent {
    nodes: Vec<Arc<dyn Node>>,
    most: usize,
    /// Which one goes next.
    oldest: usize,
}

impl Recent {
    /// Keeps `most` of them.
    pub(super) const fn new(most: usize) -> Self {
        Self { nodes: Vec::new(), most, oldest: 0 }
    }

    /// Keeps a node; returns the one that goes for it, which may have to tell somebody below.
    pub(super) fn keep(&mut self, node: &Arc<dyn Node>) -> Option<Arc<dyn Node>> {
        if self.nodes.len() < self.most {
            self.nodes.push(node.clone());
            return None;
        }
        let place = self.nodes.get_mut(self.oldest)?;
        self.oldest = (self.oldest + 1) % self.most;
        Some(mem::replace(place, node.clone()))
    }

    /// A node that has lost its name is kept no longer.
    pub(super) fn forget(&mut self, node: &Arc<dyn Node>) {
        // Whoever forgets it holds it: nothing goes here.
        self.nodes.retain(|known| !same(known, node));
        self.oldest = 0;
    }
}
