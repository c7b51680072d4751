//! The threads of a process.

use alloc::{sync::Arc, vec::Vec};

use kernel::task::Thread;

use super::{KEY, LinuxThread};

/// Those that have started and not ended, the first one first, and the next id.
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
        self.members.push(thread);
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
        let index = self.members.iter().rposition(|thread| linux(thread).id() == id)?;
        Some(self.members.remove(index))
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
        self.members.iter().find(|thread| linux(thread).id() as i32 == id).map(Arc::clone)
    }
}

/// What Linux keeps for a thread.
#[must_use]
pub fn linux(thread: &Thread) -> &LinuxThread {
    thread.resources(&KEY)
}
