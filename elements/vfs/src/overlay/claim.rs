//! Keeping what is no longer as below, and the way to it.

use alloc::sync::Arc;
use core::mem;

use super::{
    directory::{Above, Directory},
    leaf::Leaf,
};
use crate::Node;

impl Directory {
    /// What is known about it is about to change.
    pub(super) fn claim(&self) {
        self.head.settle();
        let _tree = self.head.shared.tree.lock();
        self.keep();
    }

    /// The directories above keep this one from now on. With the tree locked.
    pub(super) fn keep(&self) {
        let mut at = self.myself.upgrade();
        while let Some(directory) = at {
            at = directory.keep_in_parent();
        }
    }

    /// Answers the directory above if that did not keep this one before.
    fn keep_in_parent(self: Arc<Self>) -> Option<Arc<Self>> {
        let (parent, name) = {
            let mut inside = self.inside.lock();
            let (above, name) = inside.place.as_mut()?;
            let Above::Held(parent) = above else { return None };
            let keeps = Above::Keeps(Arc::downgrade(parent));
            let Above::Held(parent) = mem::replace(above, keeps) else { return None };
            (parent, name.clone())
        };
        parent.inside.lock().slots.keep(name, self, true);
        Some(parent)
    }
}

impl Leaf {
    /// It is about to change.
    pub(super) fn claim(&self) {
        self.head.settle();
        if self.place.lock().is_some() {
            // What it releases goes after the lock.
            let _released;
            let _tree = self.head.shared.tree.lock();
            _released = self.keep();
        }
    }

    /// Its names lead to it from now on. With the tree locked; what this answers is to go after that lock.
    #[must_use]
    pub(super) fn keep(&self) -> Option<Arc<Directory>> {
        let (parent, name) = self.place.lock().take()?;
        let myself: Arc<dyn Node> = self.myself.upgrade()?;
        match &self.key {
            Some(key) => self.head.shared.linked.lock().keep((&**key).into(), myself, true),
            None => {
                parent.inside.lock().slots.keep(name, myself, true);
                parent.keep();
            }
        }
        Some(parent)
    }

    /// It has lost a name. As [`Leaf::keep`].
    #[must_use]
    pub(super) fn lose_name(&self) -> Option<Arc<Directory>> {
        if self.head.drop_link() > 0 {
            return self.keep();
        }
        if let Some(key) = &self.key {
            self.head.shared.linked.lock().forget(key);
        }
        self.place.lock().take().map(|(parent, _)| parent)
    }
}
