//! What a server offers, and what has been seen of it. What a node of it is, its owner says.

use alloc::{collections::VecDeque, sync::Arc};

use page_cache::Pool;
use sync::Mutex;
use vfs::{Creation, FileError, Time, seen::Seen};

use crate::{REMEMBERED, attributes::Attributes, client::Client, fid::Fid, stand_in::StandIns};

/// What a tree needs of the world around it.
pub struct World {
    /// The file system's number, as stat(2) shows it.
    pub device: u64,
    /// The clock.
    pub now: fn() -> Time,
    /// Memory for contents.
    pub pool: &'static Pool,
}

pub struct Share<T> {
    pub client: Arc<Client>,
    pub world: World,
    /// Nodes by the server's number for their file: one, however many names it has.
    pub seen: Seen<u64, T>,
    /// The nodes used last, in the order in which they are looked at for being forgotten.
    recent: Mutex<VecDeque<Arc<T>>>,
    /// Held while a directory gets another place.
    pub tree: Mutex<()>,
    /// Files that are something else to us.
    pub stand_ins: StandIns,
}

impl<T> Share<T> {
    pub fn new(client: Arc<Client>, world: World) -> Arc<Self> {
        let (recent, stand_ins) = (Mutex::default(), StandIns::default());
        Arc::new(Self { client, world, seen: Seen::default(), recent, tree: Mutex::new(()), stand_ins })
    }

    pub fn now(&self) -> Time {
        (self.world.now)()
    }

    /// Keeps a node for a while; forgets another for it, which has not been used for the longest time.
    pub fn remember(&self, node: Arc<T>, take_used: impl Fn(&T) -> bool) {
        let mut recent = self.recent.lock();
        let mut forgotten = None;
        while recent.len() >= REMEMBERED
            && let Some(oldest) = recent.pop_front()
        {
            if !take_used(&oldest) {
                forgotten = Some(oldest);
                break;
            }
            recent.push_back(oldest);
        }
        recent.push_back(node);
        drop(recent);
        // Its end asks the server.
        drop(forgotten);
    }

    /// A node whose last name is gone stays only as long as somebody holds it.
    pub fn forget(&self, number: u64, node: &T) {
        let mut recent = self.recent.lock();
        let index = recent.iter().position(|known| core::ptr::eq(Arc::as_ptr(known), node));
        let forgotten = index.and_then(|index| recent.remove(index));
        drop(recent);
        drop(forgotten);
        self.seen.remove(&number, node);
    }

    /// What is known about what `fid` was walked to.
    pub fn attributes(&self, fid: &Fid) -> Result<Attributes, FileError> {
        self.stand_ins.attributes(&self.client, fid)
    }

    /// The time of a file's last change was set.
    pub fn set_modified(&self, fid: &Fid) -> Result<(), FileError> {
        self.stand_ins.set_modified(&self.client, fid)
    }

    /// Makes what is no file, in the directory that `fid` stands for.
    pub fn make_entry(&self, fid: &Fid, name: &[u8], creation: &Creation<'_>) -> Result<(), FileError> {
        self.stand_ins.make_entry(&self.client, fid, name, creation)
    }
}
