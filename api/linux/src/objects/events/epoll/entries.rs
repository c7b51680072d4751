//! What an epoll watches, by descriptor and open file.

use alloc::{collections::BTreeMap, sync::Arc};

use linux_abi::Errno;
use sync::Watcher;
use vfs::Node;

use super::item::Item;

/// What is in a set, in the order of the keys.
pub type Entries = BTreeMap<Key, Watched>;

/// A descriptor's number, and the address of the open file that it means.
pub type Key = (i32, usize);

/// An item, and what tells it.
pub struct Watched {
    pub item: Arc<Item>,
    _watcher: Watcher<dyn Node>,
}

impl Watched {
    /// Tells until it is dropped.
    pub const fn new(item: Arc<Item>, watcher: Watcher<dyn Node>) -> Self {
        Self { item, _watcher: watcher }
    }
}

/// The one with this key; ENOENT if there is none.
pub fn item(entries: &Entries, key: Key) -> Result<&Arc<Item>, Errno> {
    entries.get(&key).map(|watched| &watched.item).ok_or(Errno::ENOENT)
}
