//! What all files share: memory.

use alloc::{collections::VecDeque, sync::Weak, vec::Vec};

use pages::{Memory, SIZE};
use sync::Mutex;

use vfs::FileError;

/// How much memory there is for contents.
pub trait Room: Send + Sync {
    /// Whether contents may take that many bytes more.
    fn has_room(&self, bytes: usize) -> bool;
}

/// A file whose pages are the pool's.
pub(super) trait Member: Send + Sync {
    /// Lets go of up to `wanted` pages that nobody has used for a while; says how many.
    fn let_go(&self, wanted: usize, effort: Effort) -> usize;

    /// Writes back what programs have stored into mappings.
    fn write_back(&self) -> Result<(), FileError>;
}

/// Files that share memory.
pub struct Pool {
    pub(super) memory: &'static dyn Memory,
    room: &'static dyn Room,
    /// In the order in which they are searched for pages to let go of.
    files: Mutex<VecDeque<Weak<dyn Member>>>,
}

/// What letting go of a page may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effort {
    /// Nothing but that: the caller may hold locks.
    Little,
    /// Write pages back first, and have mappings forget them.
    All,
}

impl Pool {
    /// Pages from `memory`, as many as `room` allows.
    #[must_use]
    pub const fn new(memory: &'static dyn Memory, room: &'static dyn Room) -> Self {
        Self { memory, room, files: Mutex::new(VecDeque::new()) }
    }

    pub(super) fn add(&self, file: Weak<dyn Member>) {
        let mut files = self.files.lock();
        // Those that have gone leave their place to new ones.
        let gone = files.iter().position(|known| known.strong_count() == 0);
        match gone.and_then(|index| files.get_mut(index)) {
            Some(place) => *place = file,
            None => files.push_back(file),
        }
    }

    /// Gives back up to `wanted` pages that no program sees and that are as their file; says how many. For whoever runs
    /// out of memory, whatever locks he holds.
    pub fn release(&self, wanted: usize) -> usize {
        self.shrink(wanted, Effort::Little)
    }

    /// Writes back what programs have stored into mappings of all files.
    pub fn flush(&self) -> Result<(), FileError> {
        let files: Vec<_> = self.files.lock().iter().filter_map(Weak::upgrade).collect();
        let mut result = Ok(());
        for file in files {
            result = result.and(file.write_back());
        }
        result
    }

    /// Whether `count` pages more may be taken, after letting go of others if need be.
    pub(super) fn make_room(&self, count: usize, effort: Effort) -> bool {
        let has_room = || self.room.has_room(count * SIZE);
        has_room() || self.shrink(count.max(64), effort) > 0 && has_room()
    }

    fn shrink(&self, wanted: usize, effort: Effort) -> usize {
        let mut released = 0;
        // Twice around: the first time, pages in use are only marked as not used since.
        let count = self.files.lock().len() * 2;
        for _ in 0..count {
            if released >= wanted {
                break;
            }
            let file = {
                let mut files = self.files.lock();
                let Some(file) = files.pop_front() else { break };
                files.push_back(file.clone());
                file.upgrade()
            };
            released += file.map_or(0, |file| file.let_go(wanted - released, effort));
        }
        released
    }
}
