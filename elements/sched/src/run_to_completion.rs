//! No scheduler: one thread, that runs until it ends.

use intrusive::Link;

use crate::{Arrival, Entity, EntityRef, Leaving, Next, Notice, Parameters, Placed, Scheduler};

/// Keeps one thread. What asks for a second one is told by [`Scheduler::capacity`] that there is no room.
#[derive(Debug)]
pub struct RunToCompletion(Link<Entity>);

impl RunToCompletion {
    /// Without its thread.
    #[must_use]
    pub const fn new() -> Self {
        Self(Link::new())
    }
}

impl Default for RunToCompletion {
    fn default() -> Self {
        Self::new()
    }
}

const NOTHING: Placed = Placed { processor: 0, notice: Notice::None };

impl Scheduler for RunToCompletion {
    fn capacity(&self) -> usize {
        1
    }

    fn add(&self, thread: EntityRef, _: Arrival, _: u32) -> Placed {
        self.0.set(Some(thread));
        Placed { processor: 0, notice: Notice::Look }
    }

    fn next(&self, _: u32, leaving: Option<(EntityRef, Leaving)>) -> Next {
        let thread = match leaving {
            Some((thread, Leaving::Yielded | Leaving::Preempted)) => Some(thread),
            _ => self.0.get(),
        };
        if !matches!(leaving, Some((_, Leaving::Yielded | Leaving::Preempted))) {
            self.0.set(None);
        }
        Next { thread, wake: 0 }
    }

    fn slice_end(&self, _: u32) -> Option<u64> {
        None
    }

    fn set_parameters(&self, thread: EntityRef, parameters: Parameters) -> Placed {
        thread.set_parameters(parameters);
        NOTHING
    }

    fn set_affinity(&self, thread: EntityRef, processors: u64, _: u32) -> Placed {
        thread.set_affinity(processors);
        NOTHING
    }

    fn waiting(&self, _: u32) -> usize {
        usize::from(self.0.get().is_some())
    }
}
