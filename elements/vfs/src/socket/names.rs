//! Names by which sockets are found.

use alloc::{
    collections::{BTreeMap, btree_map::Entry},
    sync::{Arc, Weak},
    vec::Vec,
};

use sync::Mutex;

use super::{Name, Socket};
use crate::FileError;

/// Who has which name. What a name is made of, its user knows.
#[derive(Default)]
pub struct Names {
    bound: Mutex<BTreeMap<Name, Weak<Socket>>>,
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
        match bound.entry(key.clone()) {
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
        if bound.get(key).is_some_and(|known| Weak::ptr_eq(known, socket)) {
            bound.remove(key);
        }
    }
}
