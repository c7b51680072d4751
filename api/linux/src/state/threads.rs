//! The threads of a process.

use alloc::{sync::Arc, vec::Vec};

use kernel::task::Thread;

use super::{KEY, LinuxThread};

/// Those that have started and not ended, by their ids, and the next id.
pub struct Threads {
    members: Vec<Arc<Thread>>,
    next: u32,
    /// Nanoseconds of processor time that those had which have ended.
    ended: u64,
}

/// Most threads of a process (`/proc/sys/kernel/threads-max`).
const MOST: usize = 32_768;

impl Threads {
    /// None yet; the first one's id is `first`.
    #[must_use]
    pub const fn new(first: u32) -> Self {
        Self { members: Vec::new(), next: first + 1, ended: 0 }
    }

    /// The next thread's id; `None` if there are too many.
    pub fn take_id(&mut self) -> Option<u32> {
        let id = self.next;
        self.next = id.checked_add(1).filter(|_| self.members.len() < MOST)?;
        Some(id)
    }

    /// Adds a thread.
    pub fn add(&mut self, thread: Arc<Thread>) {
        let place = match self.members.last() {
            // Two may be made at once, and the younger one be faster.
            Some(last) if linux(last).id() > linux(&thread).id() => self.from(linux(&thread).id()),
            _ => self.members.len(),
        };
        self.members.insert(place, thread);
    }

    /// Where the first one with this id or a greater one is.
    fn from(&self, id: u32) -> usize {
        self.members.partition_point(|thread| linux(thread).id() < id)
    }

    /// The lowest id from this one on.
    #[must_use]
    pub fn next(&self, from: u32) -> Option<u32> {
        self.members.get(self.from(from)).map(|thread| linux(thread).id())
    }

    /// Takes a thread out; answers how many are left.
    pub fn remove(&mut self, id: u32) -> usize {
        // The youngest often ends first.
        let removed = match self.members.pop_if(|thread| linux(thread).id() == id) {
            None => self.remove_older(id),
            youngest => youngest,
        };
        self.ended += removed.map_or(0, |thread| thread.processor_time());
        self.members.len()
    }

    #[inline(never)]
    fn remove_older(&mut self, id: u32) -> Option<Arc<Thread>> {
        let index = self.from(id);
        let is_there = self.members.get(index).is_some_and(|thread| linux(thread).id() == id);
        is_there.then(|| self.members.remove(index))
    }

    /// How many there are.
    #[must_use]
    pub const fn count(&self) -> usize {
        self.members.len()
    }

    /// The processors' time that all had, in nanoseconds, those that have ended too.
    #[must_use]
    pub fn processor_time(&self) -> u64 {
        self.members.iter().fold(self.ended, |sum, thread| sum + thread.processor_time())
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Thread>> {
        self.members.iter()
    }

    /// The one with this id.
    #[must_use]
    pub fn find(&self, id: i32) -> Option<Arc<Thread>> {
        let id = u32::try_from(id).ok()?;
        self.members.get(self.from(id)).filter(|thread| linux(thread).id() == id).map(Arc::clone)
    }
}

/// What Linux keeps for a thread.
#[must_use]
pub fn linux(thread: &Thread) -> &LinuxThread {
    thread.resources(&KEY)
}
