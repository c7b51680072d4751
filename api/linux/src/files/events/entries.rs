//! What an epoll watches, by descriptor and open file.

use alloc::{sync::Arc, vec::Vec};

use linux_abi::Errno;
use sync::Watcher;
use vfs::Node;

use super::item::Item;

/// What is in a set.
#[derive(Default)]
pub struct Entries {
    /// In the order of their keys.
    all: Vec<Entry>,
    /// How many of these are vacant.
    vacant: usize,
}

/// A descriptor's number, and the address of the open file that it means.
pub type Key = (i32, usize);

struct Entry {
    key: Key,
    /// `None` for one that has left.
    watched: Option<Watched>,
}

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

impl Entries {
    fn find(&self, key: Key) -> Result<usize, usize> {
        self.all.binary_search_by_key(&key, |entry| entry.key)
    }

    /// All that are in.
    pub fn items(&self) -> impl Iterator<Item = &Arc<Item>> {
        self.all.iter().filter_map(|entry| Some(&entry.watched.as_ref()?.item))
    }

    /// The one with this key; ENOENT if there is none.
    pub fn item(&self, key: Key) -> Result<&Arc<Item>, Errno> {
        let index = self.find(key).map_err(|_| Errno::ENOENT)?;
        self.all[index].watched.as_ref().map(|watched| &watched.item).ok_or(Errno::ENOENT)
    }

    /// Puts it in, where there is none with this key.
    pub fn insert(&mut self, key: Key, watched: Watched) {
        match self.find(key) {
            Ok(index) => {
                self.all[index].watched = Some(watched);
                self.vacant -= 1;
            }
            Err(index) => self.all.insert(index, Entry { key, watched: Some(watched) }),
        }
    }

    /// Takes it out; ENOENT if there is none. Places are closed up when half of them are vacant, not each time, so
    /// that thousands that leave are no matter of squares.
    pub fn take(&mut self, key: Key) -> Result<Watched, Errno> {
        let index = self.find(key).map_err(|_| Errno::ENOENT)?;
        let watched = self.all[index].watched.take().ok_or(Errno::ENOENT)?;
        self.vacant += 1;
        if self.vacant > self.all.len() / 2 {
            self.all.retain(|entry| entry.watched.is_some());
            self.vacant = 0;
        }
        Ok(watched)
    }
}
