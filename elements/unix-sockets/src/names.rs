//! Names by which sockets are found.

use alloc::{
    collections::{BTreeMap, btree_map::Entry},
    sync::{Arc, Weak},
    vec::Vec,
};

use core::{borrow::Borrow, cmp::Ordering};

use sync::Mutex;

use super::{Name, Socket};
use vfs::FileError;

/// Who has which name. What a name is made of, its user knows.
#[derive(Default)]
pub struct Names {
    bound: Mutex<BTreeMap<Key, Weak<Socket>>>,
}

/// A name, in the order of its bytes.
#[derive(Clone, PartialEq, Eq)]
struct Key(Name);

impl Ord for Key {
    fn cmp(&self, other: &Self) -> Ordering {
        #[cfg(test)]
        steps::count(1);
        self.0.cmp(&other.0)
    }
}

impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Borrow<[u8]> for Key {
    fn borrow(&self) -> &[u8] {
        &self.0
    }
}

impl Names {
    /// None.
    #[must_use]
    pub const fn new() -> Self {
        Self { bound: Mutex::new(BTreeMap::new()) }
    }

    /// Has `socket` found as `key` until it goes. [`FileError::AddressInUse`] if another one is.
    pub fn add(&'static self, key: Name, socket: &Socket) -> Result<(), FileError> {
        let mut bound = self.bound.lock();
        match bound.entry(Key(key.clone())) {
            Entry::Occupied(mut entry) if entry.get().strong_count() == 0 => {
                entry.insert(socket.myself.clone());
            }
            Entry::Occupied(_) => return Err(FileError::AddressInUse),
            Entry::Vacant(entry) => {
                entry.insert(socket.myself.clone());
            }
        }
        drop(bound);
        socket.state.lock().found_as = Some((self, key));
        Ok(())
    }

    /// All sockets that have names.
    #[must_use]
    pub fn all(&self) -> Vec<Arc<Socket>> {
        self.bound.lock().values().filter_map(Weak::upgrade).collect()
    }

    /// The socket that is found as `key`.
    #[must_use]
    pub fn find(&self, key: &[u8]) -> Option<Arc<Socket>> {
        self.bound.lock().get(key)?.upgrade()
    }

    /// A socket goes. Another one may have the name by now.
    pub(super) fn remove(&self, key: &Name, socket: &Weak<Socket>) {
        let mut bound = self.bound.lock();
        if let Entry::Occupied(entry) = bound.entry(Key(key.clone()))
            && Weak::ptr_eq(entry.get(), socket)
        {
            entry.remove();
        }
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;
    use crate::{Form, Who};

    #[test]
    #[cfg_attr(miri, ignore = "thousands take minutes")]
    fn thousands_of_names_come_and_go_in_steps_by_their_logarithm() {
        static NAMES: Names = Names::new();
        const MANY: usize = 32_768;
        let sockets: Vec<_> = (0..MANY).map(|_| Socket::new(Form::Datagrams, 1, Who::default(), 0)).collect();
        for (index, socket) in sockets.iter().enumerate() {
            let name = std::format!("{} is a name", index * 7919 % MANY);
            assert_eq!(NAMES.add(name.into_bytes().into(), socket), Ok(()));
        }
        assert_eq!(NAMES.all().len(), MANY);
        drop(sockets);
        assert!(NAMES.bound.lock().is_empty());
        let most = 8 * MANY * MANY.ilog2() as usize;
        let steps = steps::taken();
        assert!(steps <= most, "{steps} steps, more than {most}");
    }
}
