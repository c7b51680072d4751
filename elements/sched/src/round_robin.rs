//! First in, first out, in turns of equal length.

use core::marker::PhantomData;

use intrusive::Word;

use crate::{Arrival, EntityRef, Leaving, Notice, Policy, Time, fifo};

/// Threads in turn, each for `SLICE` microseconds.
#[derive(Debug)]
pub struct Queue<T, const SLICE: u64> {
    waiting: fifo::Queue,
    /// When the running thread's slice ends; 0: nobody has asked yet. So a switch does not read the clock.
    end: Word,
    time: PhantomData<fn() -> T>,
}

impl<T: Time, const SLICE: u64> Policy for Queue<T, SLICE> {
    const NEW: Self = Self { waiting: fifo::Queue::NEW, end: Word::new(0), time: PhantomData };

    fn enter(&self, thread: EntityRef, arrival: Arrival) -> Notice {
        let first = self.waiting.is_empty();
        self.waiting.enter(thread, arrival);
        if first { Notice::Look } else { Notice::None }
    }

    fn take(&self) -> Option<EntityRef> {
        self.end.set(0);
        self.waiting.take()
    }

    fn start(&self, _: EntityRef) {
        self.end.set(0);
    }

    fn requeue(&self, thread: EntityRef, _: Leaving) {
        self.waiting.requeue(thread, Leaving::Yielded);
    }

    #[inline]
    fn renew(&self, thread: EntityRef, _: Leaving) -> EntityRef {
        self.end.set(0);
        self.waiting.renew(thread, Leaving::Yielded)
    }

    fn depart(&self, _: EntityRef) {}

    fn remove(&self, thread: EntityRef) {
        self.waiting.remove(thread);
    }

    fn give(&self, fits: impl Fn(EntityRef) -> bool) -> Option<EntityRef> {
        self.waiting.give(fits)
    }

    fn slice_end(&self) -> Option<u64> {
        if self.end.get() == 0 {
            self.end.set(T::now().saturating_add(SLICE * 1000));
        }
        Some(self.end.get())
    }
}
