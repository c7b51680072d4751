//! The threads of a process.

use alloc::sync::Arc;

use identity::{Members, Several};
use kernel::task::Thread;

use super::{KEY, LinuxThread, table};
use crate::objects::ability;

/// Those that have started and not ended, by their ids.
#[derive(Default)]
pub struct Threads {
    members: Members<u32, Arc<Thread>, Made>,
    /// Nanoseconds of processor time that those had which have ended.
    ended: u64,
}

/// Whether threads are made.
struct Made;

impl Several for Made {
    #[inline(always)]
    fn several() -> bool {
        ability::threads()
    }
}

/// Most threads of a process (`/proc/sys/kernel/threads-max`).
const MOST: usize = 32_768;

impl Threads {
    /// None yet.
    #[must_use]
    pub const fn new() -> Self {
        Self { members: Members::new(), ended: 0 }
    }

    /// The next thread's id; `None` if there are too many.
    pub fn take_id(&self) -> Option<u32> {
        (self.members.count() < MOST).then(table::take_id)
    }

    /// Adds a thread.
    pub fn add(&mut self, thread: Arc<Thread>) {
        self.members.add(linux(&thread).id(), thread);
    }

    /// The lowest id from this one on.
    #[must_use]
    pub fn next(&self, from: u32) -> Option<u32> {
        self.members.next(&from).copied()
    }

    /// Takes a thread out; answers how many are left.
    pub fn remove(&mut self, id: u32) -> usize {
        self.ended += self.members.remove(&id).map_or(0, |thread| thread.processor_time());
        self.members.count()
    }

    /// The thread with this id takes the place of the first (execve(2)).
    pub fn become_first(&mut self, id: u32) {
        if let Some(thread) = self.members.remove(&id) {
            linux(&thread).become_first();
            self.add(thread);
        }
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.members.count()
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
        self.members.get(&u32::try_from(id).ok()?).map(Arc::clone)
    }
}

/// What Linux keeps for a thread.
#[must_use]
pub fn linux(thread: &Thread) -> &LinuxThread {
    thread.resources(&KEY)
}
