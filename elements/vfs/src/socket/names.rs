//! Names by which sockets are found.

use alloc::{
    sync::{Arc, Weak},
    vec::Vec,
};

use sync::Mutex;

use super::{Name, Socket};
use crate::FileError;

/// Who has which name. What a name is made of, its user knows.
#[derive(Default)]
pub struct Names {
    bound: Mutex<Vec<(Name, Weak<Socket>)>>,
}

impl Names {
    /// None.
    #[must_use]
    pub const fn new() -> Self {
        Self { bound: Mutex::new(Vec::new()) }
    }

    /// Has `socket` found as `key`. [`FileError::AddressInUse`] if another one is.
    pub fn add(&self, key: Name, socket: &Socket) -> Result<(), FileError> {
        let mut bound = self.bound.lock();
        bound.retain(|(_, socket)| socket.strong_count() > 0);
        if bound.iter().any(|(known, _)| *known == key) {
            return Err(FileError::AddressInUse);
        }
        bound.push((key, socket.myself.clone()));
        Ok(())
    }

    /// The socket that is found as `key`.
    #[must_use]
    pub fn find(&self, key: &[u8]) -> Option<Arc<Socket>> {
        self.bound.lock().iter().find(|(known, _)| **known == *key)?.1.upgrade()
    }
}
