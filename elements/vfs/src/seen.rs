//! One node for each file: the nodes that somebody holds, by the numbers that their file system has for them.

use alloc::{
    collections::BTreeMap,
    sync::{Arc, Weak},
};

use sync::Mutex;

/// Nodes by their numbers. It holds none of them, and none goes while its lock is held: a node's end may ask a device.
pub struct Seen<K, T>(Mutex<BTreeMap<K, Weak<T>>>);

impl<K: Ord, T> Seen<K, T> {
    /// The node of this number, if somebody holds it.
    pub fn get(&self, number: &K) -> Option<Arc<T>> {
        self.0.lock().get(number).and_then(Weak::upgrade)
    }

    /// `node` has this number from now on, unless another has it, which somebody holds: that one.
    pub fn add(&self, number: K, node: &Arc<T>) -> Option<Arc<T>> {
        let mut nodes = self.0.lock();
        let faster = nodes.get(&number).and_then(Weak::upgrade);
        if faster.is_none() {
            nodes.insert(number, Arc::downgrade(node));
        }
        faster
    }

    /// `node` has this number from now on, whoever had it.
    pub fn replace(&self, number: K, node: &Arc<T>) {
        self.0.lock().insert(number, Arc::downgrade(node));
    }

    /// `node` goes, or does not have this number any more. Another that has it stays.
    pub fn remove(&self, number: &K, node: &T) {
        let mut nodes = self.0.lock();
        if nodes.get(number).is_some_and(|known| core::ptr::eq(known.as_ptr(), node)) {
            nodes.remove(number);
        }
    }
}

impl<K, T> Default for Seen<K, T> {
    fn default() -> Self {
        Self(Mutex::new(BTreeMap::new()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_one_is_the_node_as_long_as_somebody_holds_it() {
        let seen = Seen::default();
        let (first, second) = (Arc::new('a'), Arc::new('b'));
        assert!(seen.add(7, &first).is_none());
        assert!(Arc::ptr_eq(&seen.add(7, &second).unwrap(), &first));
        assert!(Arc::ptr_eq(&seen.get(&7).unwrap(), &first) && seen.get(&8).is_none());
        drop(first);
        assert!(seen.get(&7).is_none() && seen.add(7, &second).is_none());
        assert!(Arc::ptr_eq(&seen.get(&7).unwrap(), &second));
    }

    #[test]
    fn who_goes_takes_no_other_along() {
        let seen = Seen::default();
        let (first, second) = (Arc::new('a'), Arc::new('b'));
        seen.replace(7, &first);
        seen.replace(7, &second);
        seen.remove(&7, &first);
        assert!(Arc::ptr_eq(&seen.get(&7).unwrap(), &second));
        seen.remove(&7, &second);
        assert!(seen.get(&7).is_none() && seen.0.lock().is_empty());
    }
}
