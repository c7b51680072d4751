//! First in, first out; nobody is interrupted.

use intrusive::List;

use crate::{Arrival, EntityRef, Leaving, Notice, Policy};

/// Threads in the order in which they became runnable.
#[derive(Debug)]
pub struct Queue(List<crate::Entity>);

impl Queue {
    /// Whether nobody waits.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Policy for Queue {
    const NEW: Self = Self(List::new());

    fn enter(&self, thread: EntityRef, _: Arrival) -> Notice {
        self.0.push_back(thread);
        Notice::None
    }

    #[inline]
    fn take(&self) -> Option<EntityRef> {
        self.0.pop_front()
    }

    fn start(&self, _: EntityRef) {}

    fn requeue(&self, thread: EntityRef, leaving: Leaving) {
        match leaving {
            Leaving::Preempted => self.0.push_front(thread),
            _ => self.0.push_back(thread),
        }
    }

    #[inline]
    fn renew(&self, thread: EntityRef, leaving: Leaving) -> EntityRef {
        if leaving == Leaving::Preempted {
            return thread;
        }
        let Some(next) = self.0.pop_front() else { return thread };
        self.0.push_back(thread);
        next
    }

    fn depart(&self, _: EntityRef) {}

    fn remove(&self, thread: EntityRef) {
        self.0.remove(thread);
    }

    fn give(&self, fits: impl Fn(EntityRef) -> bool) -> Option<EntityRef> {
        let thread = self.0.iter().find(|thread| fits(*thread))?;
        self.0.remove(thread);
        Some(thread)
    }
}
