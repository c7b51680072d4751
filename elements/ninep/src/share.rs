//! A tree that a server offers, and what has been seen of it.

use alloc::{
    boxed::Box,
    collections::{BTreeMap, VecDeque},
    sync::{Arc, Weak},
};

use sync::Mutex;
use vfs::{FileError, Kind, Node, Time, cache::Pool};

use crate::{REMEMBERED, Transport, attributes::Attributes, client::Client, fid::Fid, item::Item, stand_in::StandIns};

/// What a tree needs of the world around it.
pub struct World {
    /// The file system's number, as stat(2) shows it.
    pub device: u64,
    /// The clock.
    pub now: fn() -> Time,
    /// Memory for contents.
    pub pool: &'static Pool,
}

/// The root of what the server at the other end of `transport` offers.
pub fn mount(transport: Box<dyn Transport>, world: World) -> Result<Arc<dyn Node>, FileError> {
    let client = Client::connect(transport)?;
    let fid = client.attach()?;
    let attributes = client.attributes(&fid)?;
    if attributes.metadata.kind != Kind::Directory {
        return Err(FileError::NotDirectory);
    }
    let seen = Mutex::new(BTreeMap::new());
    let share =
        Share { client, world, seen, recent: Mutex::default(), tree: Mutex::new(()), stand_ins: StandIns::default() };
    Ok(Item::new(&Arc::new(share), fid, attributes))
}

pub struct Share {
    pub client: Arc<Client>,
    pub world: World,
    /// Nodes by the server's number for their file: one, however many names it has.
    seen: Mutex<BTreeMap<u64, Weak<Item>>>,
    /// The nodes used last, in the order in which they are looked at for being forgotten.
    recent: Mutex<VecDeque<Arc<Item>>>,
    /// Held while a directory gets another place.
    tree: Mutex<()>,
    /// Files that are something else to us.
    pub stand_ins: StandIns,
}

impl Share {
    pub fn now(&self) -> Time {
        (self.world.now)()
    }

    /// The node for what `fid` was walked to, in `parent` as `name`.
    pub fn node(self: &Arc<Self>, fid: Arc<Fid>, attributes: Attributes, parent: &Arc<Item>, name: &[u8]) -> Arc<Item> {
        let known = self.seen.lock().get(&attributes.qid.path).and_then(Weak::upgrade);
        if let Some(item) = known
            && item.is(&attributes)
            && self.place(&item, parent, name)
        {
            item.found_again(fid, attributes);
            return item;
        }
        let item = Item::new(self, fid, attributes);
        self.place(&item, parent, name);
        // Two processors may have walked here at once: the second one's node counts.
        self.seen.lock().insert(attributes.qid.path, Arc::downgrade(&item));
        self.remember(item.clone());
        item
    }

    /// If `item` is a directory, it stands in `parent` from now on; `false` if that is in itself, as only a server that
    /// lies can say.
    pub fn place(&self, item: &Item, parent: &Arc<Item>, name: &[u8]) -> bool {
        if item.kind() != Kind::Directory {
            return true;
        }
        let tree = self.tree.lock();
        let possible = !item.contains(parent);
        let old = possible.then(|| item.stand_in(parent, name));
        drop(tree);
        drop(old);
        possible
    }

    /// Keeps a node for a while; forgets another for it, which has not been used for the longest time.
    fn remember(&self, item: Arc<Item>) {
        let mut recent = self.recent.lock();
        let mut forgotten = None;
        while recent.len() >= REMEMBERED
            && let Some(oldest) = recent.pop_front()
        {
            if !oldest.take_used() {
                forgotten = Some(oldest);
                break;
            }
            recent.push_back(oldest);
        }
        recent.push_back(item);
        drop(recent);
        // Its end asks the server.
        drop(forgotten);
    }

    /// A node whose last name is gone stays only as long as somebody holds it.
    pub fn forget(&self, item: &Item) {
        let mut recent = self.recent.lock();
        let index = recent.iter().position(|known| core::ptr::eq(Arc::as_ptr(known), item));
        let forgotten = index.and_then(|index| recent.remove(index));
        drop(recent);
        drop(forgotten);
        self.leave(item);
    }

    /// The node goes, or its number is another file's from now on.
    pub fn leave(&self, item: &Item) {
        let mut seen = self.seen.lock();
        let number = item.number();
        if seen.get(&number).is_some_and(|known| core::ptr::eq(known.as_ptr(), item)) {
            seen.remove(&number);
        }
    }
}
