//! All processes by their ids, and the ids that processes and threads share.

use alloc::sync::Arc;
use core::sync::atomic::{AtomicU32, Ordering};

use identity::{Members, Several};
use linux_abi::Errno;
use sync::Mutex;

use super::{Process, current};
use crate::objects::ability;

/// The id of the first process: what comes from outside is for it, and its end is the machine's.
pub const FIRST: u32 = 1;

/// Whether processes are made.
struct Made;

impl Several for Made {
    #[inline(always)]
    fn several() -> bool {
        ability::processes()
    }
}

static PROCESSES: Mutex<Members<u32, Arc<Process>, Made>> = Mutex::new(Members::new());

/// The id of the next process or thread.
static NEXT: AtomicU32 = AtomicU32::new(FIRST + 1);

/// Takes an id that nobody has had.
pub fn take_id() -> u32 {
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// Adds a process.
pub fn add(process: &Arc<Process>) {
    PROCESSES.lock().add(process.id, Arc::clone(process));
}

/// Takes a process out that has ended.
pub fn remove(id: u32) {
    let ended = PROCESSES.lock().remove(&id);
    drop(ended);
}

/// The numbers of all, one after the other.
pub fn all() -> impl Iterator<Item = u32> {
    core::iter::successors(next(0), |&id| next(id.checked_add(1)?))
}

/// How many there are, those that have ended and were not waited for too.
#[must_use]
pub fn count() -> usize {
    PROCESSES.lock().count()
}

/// The process with this id.
#[must_use]
pub fn find(id: u32) -> Option<Arc<Process>> {
    PROCESSES.lock().get(&id).cloned()
}

/// The lowest id from this one on that a process has.
#[must_use]
pub fn next(from: u32) -> Option<u32> {
    PROCESSES.lock().next(&from).copied()
}

/// The process with this id, or the one that has a thread with it: where any thread stands for its process.
#[must_use]
#[inline(never)]
pub fn of_thread(id: u32) -> Option<Arc<Process>> {
    find(id).or_else(|| {
        let mut from = 0;
        while let Some(process) = next(from).and_then(find) {
            if i32::try_from(id).is_ok_and(|id| process.threads.lock().find(id).is_some()) {
                return Some(process);
            }
            from = process.id.checked_add(1)?;
        }
        None
    })
}

/// As [`numbered`], and 0 is the running process; ESRCH if there is none.
pub fn meant(id: i32) -> Result<Arc<Process>, Errno> {
    if id == 0 { Ok(Arc::clone(&current().process)) } else { numbered(id).ok_or(Errno::ESRCH) }
}

/// As [`of_thread`], for a number that a program gives.
#[must_use]
pub fn numbered(id: i32) -> Option<Arc<Process>> {
    of_thread(u32::try_from(id).ok()?)
}
