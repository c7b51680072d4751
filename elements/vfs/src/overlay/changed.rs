//! How much is different from what is below, for whoever is told at the end what is lost with the memory.

use alloc::{sync::Arc, vec, vec::Vec};

use super::{directory::Directory, slots::Held};
use crate::Node;

/// How many names of files are new, changed or gone in the tree of an overlay; none in any other tree, and `None` if
/// somebody is at work in it just now. Waits for nobody: the machine may be ending while a lock is held.
#[must_use]
pub fn changed(root: &Arc<dyn Node>) -> Option<u64> {
    let mut count = 0;
    let mut directories = if Directory::of(&**root).is_some() { vec![root.clone()] } else { Vec::new() };
    while let Some(node) = directories.pop() {
        let Some(directory) = Directory::of(&*node) else { continue };
        directory.inside.try_lock()?.slots.visit_different(&mut |held| match held {
            Held::Kept(node) if Directory::of(&**node).is_some() => directories.push(node.clone()),
            _ => count += 1,
        });
    }
    Some(count)
}
