//! What a policy is: one processor's queue.

use crate::{Arrival, EntityRef, Leaving, Notice};

/// Where a policy that measures time gets it. Of no size, so a policy that does not ask never reads a clock.
pub trait Time: 'static {
    /// Nanoseconds; never goes backwards.
    fn now() -> u64;
}

/// One processor's queue of runnable threads, and what it must know of the one that runs. Called under a lock.
///
/// What the program says about a thread is in [`crate::Entity::parameters`]; what the policy keeps of it in
/// [`crate::Entity::words`].
pub trait Policy: Sync {
    /// Empty.
    const NEW: Self;

    /// Queues a thread that was in no queue; what that means for the thread that runs, if one does: it should be
    /// interrupted, or its slice may end earlier.
    fn enter(&self, thread: EntityRef, arrival: Arrival) -> Notice;

    /// Takes the best thread out of the queue; it runs from now on. There is no thread that runs.
    fn take(&self) -> Option<EntityRef>;

    /// A thread that comes from another queue runs from now on. There is no thread that runs.
    fn start(&self, thread: EntityRef);

    /// The thread that runs makes way and stays runnable: it is queued again, and nothing runs.
    fn requeue(&self, thread: EntityRef, leaving: Leaving);

    /// The same, and then the best one runs: which that is, perhaps the same.
    fn renew(&self, thread: EntityRef, leaving: Leaving) -> EntityRef;

    /// The thread that runs does so no more, and is not queued.
    fn depart(&self, thread: EntityRef);

    /// The same, and then the best one runs, if one waits.
    fn succeed(&self, thread: EntityRef) -> Option<EntityRef> {
        self.depart(thread);
        self.take()
    }

    /// Takes a thread out of the queue.
    fn remove(&self, thread: EntityRef);

    /// Takes a thread that fits out of the queue, for another processor to run.
    fn give(&self, fits: impl Fn(EntityRef) -> bool) -> Option<EntityRef>;

    /// The parameters of a thread of this queue changed, or of the one that runs; whether the running one should be
    /// interrupted.
    fn change(&self, thread: EntityRef, runs: bool) -> bool {
        let _ = (thread, runs);
        false
    }

    /// When the slice of the running thread ends, while others wait; at once (0) if a better one waits.
    fn slice_end(&self) -> Option<u64> {
        None
    }
}
