//! First in, first out; nobody is interrupted.

use intrusive::List;

use crate::{Arrival, EntityRef, Leaving, Policy};

/// Threads in the order in which they became runnable.
#[derive(Debug)]
pub struct Queue(List<crate::Entity>);

impl Policy for Queue {
    const NEW: Self = Self(List::new());
    const SLICED: bool = false;

    fn enter(&self, thread: EntityRef, _: Arrival) -> bool {
        self.0.push_back(thread);
        false
    }

    #[inline]
    fn take(&self) -> Option<EntityRef> {
        self.0.pop_front()
    }

    fn start(&self, _: EntityRef) {}

    #[inline]
    fn renew(&self, thread: EntityRef, _: Leaving) -> EntityRef {
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
