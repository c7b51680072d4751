//! What a process is to others: parent and child, member of a group and a session. The rules are in the element
//! `families`.

use alloc::sync::Arc;
use core::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, AtomicUsize, Ordering::Relaxed};

use families::Families;
use machine::ExitReason;
use sync::{Mutex, WaitQueue};

use super::{Process, table};
use crate::objects::ability;

/// All families. Nothing else is locked by who has it locked.
pub static FAMILIES: Mutex<Families> = Mutex::new(Families::new());

/// What a process needs of its own for its part in a family.
pub struct Kin {
    /// Woken when something has happened to a child, or one has given back what it borrowed.
    pub changed: WaitQueue,
    /// Woken when it has ended.
    pub ended: WaitQueue,
    /// It runs in its parent's memory, and the parent waits (vfork).
    pub borrows: AtomicBool,
    /// It has given its session's terminal up for itself (TIOCNOTTY).
    pub left_terminal: AtomicBool,
    /// Shared with the processes that have the same address space, if there ever was another one.
    pub sharers: Mutex<Option<Arc<()>>>,
    /// How it ends, once that is known.
    pub end: Mutex<Option<ExitReason>>,
    /// Where its first thread finds its id when it begins (CLONE_CHILD_SETTID); 0 for nowhere.
    pub child_id: AtomicUsize,
    /// Nanoseconds of processor time of its children that it has waited for, and of theirs.
    pub children_time: AtomicU64,
    /// What is added to its badness when memory has run out, in thousandths of all memory (`oom_score_adj`).
    pub adjustment: AtomicI32,
}

impl Kin {
    /// Of a process without any.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            changed: WaitQueue::new(),
            ended: WaitQueue::new(),
            borrows: AtomicBool::new(false),
            left_terminal: AtomicBool::new(false),
            sharers: Mutex::new(None),
            end: Mutex::new(None),
            child_id: AtomicUsize::new(0),
            children_time: AtomicU64::new(0),
            adjustment: AtomicI32::new(0),
        }
    }
}

impl Process {
    /// What it is to other processes. Panics where there can be no others.
    #[must_use]
    pub fn kin(&self) -> &Kin {
        self.kin.as_deref().expect("an image whose programs start others")
    }

    /// Whether another process has the same address space.
    #[must_use]
    pub fn shares_space(&self) -> bool {
        ability::processes() && self.kin().sharers.lock().as_ref().is_some_and(|sharers| Arc::strong_count(sharers) > 1)
    }

    /// Nanoseconds of processor time of its children that it has waited for, and of theirs.
    #[must_use]
    pub fn children_time(&self) -> u64 {
        if ability::processes() { self.kin().children_time.load(Relaxed) } else { 0 }
    }

    /// Its process group.
    #[must_use]
    pub fn group(&self) -> u32 {
        if ability::processes() { FAMILIES.lock().group(self.id).unwrap_or(self.id) } else { table::FIRST }
    }

    /// Its session.
    #[must_use]
    pub fn session(&self) -> u32 {
        if ability::processes() { FAMILIES.lock().session(self.id).unwrap_or(self.id) } else { table::FIRST }
    }
}
