//! Each thread gets its share of the time: earliest eligible virtual deadline first.
//!
//! I. Stoica, H. Abdel-Wahab: "Earliest Eligible Virtual Deadline First: A Flexible and Accurate Mechanism for
//! Proportional Share Resource Allocation", 1995; in the form of Linux 6.6 (`kernel/sched/fair.c`). Each thread has a
//! virtual time, that passes while it runs, faster the lighter it is. Who is not ahead of the mean is *eligible*. A
//! thread asks for one slice at a time; its *deadline* is when it would have had it by its share. The eligible thread
//! with the earliest deadline runs. *Lag* is the service a thread is owed; it is kept while a thread sleeps, at most
//! two slices of it.
//!
//! Differences: a thread that yields lets one other run even if that is not eligible (so a yield always switches),
//! and the thread that runs keeps its slice unless a woken one has an earlier deadline.

mod virtual_time;
mod weight;

use core::marker::PhantomData;

use intrusive::{Link, Ordered, Ref, Tree, Word, below};

use crate::{Arrival, Class, Entity, EntityRef, Leaving, Notice, Policy, Time};
use virtual_time::{VirtualTime, elapsed, service};
pub(crate) use weight::weight;

/// Its virtual time.
const TIME: usize = 0;
/// Its deadline, in virtual time.
const DEADLINE: usize = 1;
/// The least virtual time in its subtree.
const LEAST: usize = 2;
/// Its weight, as it counts in this queue.
const WEIGHT: usize = 3;
/// Nanoseconds of service it was owed when it left, signed.
const LAG: usize = 4;

/// Threads by their deadlines, and the one that runs, each asking for `SLICE` microseconds at a time.
#[derive(Debug)]
pub struct Queue<T, const SLICE: u64> {
    waiting: Tree<Entity>,
    running: Link<Entity>,
    /// When the running thread's time was last counted.
    counted: Word,
    time: VirtualTime,
    clock: PhantomData<fn() -> T>,
}

impl Entity {
    fn word(&self, which: usize) -> u64 {
        self.words[which].get()
    }

    /// Whether `time` comes before `other`, in a circle.
    fn earlier(time: u64, other: u64) -> bool {
        time.wrapping_sub(other).cast_signed() < 0
    }

    fn due_before(&self, other: &Self) -> bool {
        Self::earlier(self.word(DEADLINE), other.word(DEADLINE))
    }
}

impl Ordered for Entity {
    fn precedes(&self, other: &Self) -> bool {
        self.due_before(other)
    }

    #[inline(always)]
    fn refresh(&self, before: Option<Ref<Self>>, after: Option<Ref<Self>>) -> bool {
        let lesser = |least, below: Option<Ref<Self>>| match below {
            Some(below) if Self::earlier(below.word(LEAST), least) => below.word(LEAST),
            _ => least,
        };
        let least = lesser(lesser(self.word(TIME), before), after);
        let changed = self.word(LEAST) != least;
        self.words[LEAST].set(least);
        changed
    }
}

impl<T: Time, const SLICE: u64> Queue<T, SLICE> {
    const SLICE_NANOSECONDS: u64 = SLICE * 1000;

    /// A thread joins with the lag it has, in such a way that it has it still once it counts in the mean.
    fn join(&self, thread: EntityRef, slice: u64) {
        let weight = weight(thread.parameters());
        let lag = elapsed(thread.word(LAG).cast_signed().unsigned_abs(), weight);
        let mut before = lag;
        if self.time.load() != 0 {
            before += lag * weight / self.time.load();
        } else {
            before = 0;
        }
        let owed = thread.word(LAG).cast_signed() > 0;
        let mean = self.time.now();
        let time = if owed { mean.wrapping_sub(before) } else { mean.wrapping_add(before) };
        thread.words[TIME].set(time);
        thread.words[WEIGHT].set(weight);
        thread.words[DEADLINE].set(time.wrapping_add(elapsed(slice, weight)));
        self.time.join(time, weight);
    }

    /// A thread leaves, and its lag is noted.
    fn leave(&self, thread: EntityRef) {
        let behind = self.time.now().wrapping_sub(thread.word(TIME)).cast_signed();
        let most = 2 * Self::SLICE_NANOSECONDS.cast_signed();
        let lag = service(behind, thread.word(WEIGHT)).clamp(-most, most);
        thread.words[LAG].set(lag.cast_unsigned());
        self.time.leave(thread.word(TIME), thread.word(WEIGHT));
    }

    /// Counts the running thread's time up to now; a slice that is used up is followed by the next request.
    fn count(&self) {
        let now = T::now();
        let passed = now.saturating_sub(self.counted.get());
        self.counted.set(now);
        let Some(thread) = self.running.get() else { return };
        let elapsed_now = elapsed(passed, thread.word(WEIGHT));
        self.time.advance(elapsed_now, thread.word(WEIGHT));
        let time = thread.word(TIME).wrapping_add(elapsed_now);
        thread.words[TIME].set(time);
        if !Entity::earlier(time, thread.word(DEADLINE)) {
            thread.words[DEADLINE].set(time.wrapping_add(elapsed(Self::SLICE_NANOSECONDS, thread.word(WEIGHT))));
        }
    }

    /// Runs a thread from now on.
    fn run(&self, thread: EntityRef) -> EntityRef {
        self.running.set(Some(thread));
        thread
    }

    fn is_eligible(&self, thread: EntityRef) -> bool {
        self.time.is_eligible(thread.word(TIME))
    }

    /// The eligible one of those that wait with the earliest deadline; the earliest of all if none is eligible.
    fn best(&self) -> Option<EntityRef> {
        let first = self.waiting.first()?;
        if self.is_eligible(first) {
            return Some(first);
        }
        let mut next = self.waiting.root();
        while let Some(here) = next {
            let (before, after) = below(here);
            next = match before {
                Some(before) if self.time.is_eligible(before.word(LEAST)) => Some(before),
                _ if self.is_eligible(here) => return Some(here),
                _ => after,
            };
        }
        Some(first)
    }

    /// Whether a thread that woke should interrupt the one that runs.
    fn overtakes(&self, thread: EntityRef, running: EntityRef) -> bool {
        let (class, other) = (thread.parameters().class, running.parameters().class);
        match class {
            Class::Idle | Class::Batch => false,
            _ if other == Class::Idle => true,
            _ => self.is_eligible(thread) && thread.due_before(&running),
        }
    }

    /// Whether a thread that waits, the best one, should take the place of the one that ran until now.
    fn beats(&self, best: EntityRef, ran: EntityRef) -> bool {
        !self.is_eligible(ran) || (self.is_eligible(best) && best.due_before(&ran)) || self.overtakes(best, ran)
    }
}

impl<T: Time, const SLICE: u64> Policy for Queue<T, SLICE> {
    const NEW: Self = Self {
        waiting: Tree::new(),
        running: Link::new(),
        counted: Word::new(0),
        time: VirtualTime::new(),
        clock: PhantomData,
    };

    fn enter(&self, thread: EntityRef, arrival: Arrival) -> Notice {
        self.count();
        let first = self.waiting.first().is_none();
        // A new thread starts with half a slice, so that many of them do not hold up the others: Linux's
        // PLACE_DEADLINE_INITIAL.
        let slice = Self::SLICE_NANOSECONDS / if arrival == Arrival::New { 2 } else { 1 };
        self.join(thread, slice);
        self.waiting.insert(thread);
        match self.running.get() {
            Some(running) if self.overtakes(thread, running) => Notice::Preempt,
            Some(_) if first => Notice::Look,
            _ => Notice::None,
        }
    }

    fn take(&self) -> Option<EntityRef> {
        let best = self.best()?;
        self.counted.set(T::now());
        self.waiting.remove(best);
        Some(self.run(best))
    }

    fn start(&self, thread: EntityRef) {
        self.count();
        self.join(thread, Self::SLICE_NANOSECONDS);
        self.run(thread);
    }

    fn requeue(&self, thread: EntityRef, _: Leaving) {
        self.count();
        self.running.set(None);
        self.waiting.insert(thread);
    }

    fn renew(&self, thread: EntityRef, leaving: Leaving) -> EntityRef {
        self.count();
        let Some(best) = self.best() else { return thread };
        if leaving == Leaving::Preempted && !self.beats(best, thread) {
            return thread;
        }
        self.waiting.remove(best);
        self.waiting.insert(thread);
        self.run(best)
    }

    fn depart(&self, thread: EntityRef) {
        self.count();
        self.running.set(None);
        self.leave(thread);
    }

    fn succeed(&self, thread: EntityRef) -> Option<EntityRef> {
        self.depart(thread);
        // It begins when the time of the other was counted.
        self.best().map(|best| {
            self.waiting.remove(best);
            self.run(best)
        })
    }

    fn remove(&self, thread: EntityRef) {
        self.count();
        self.waiting.remove(thread);
        self.leave(thread);
    }

    fn give(&self, fits: impl Fn(EntityRef) -> bool) -> Option<EntityRef> {
        let thread = self.waiting.iter().find(|thread| fits(*thread))?;
        self.remove(thread);
        Some(thread)
    }

    fn change(&self, thread: EntityRef, runs: bool) -> bool {
        if runs {
            self.depart(thread);
            self.start(thread);
            return self.best().is_some_and(|best| self.beats(best, thread));
        }
        self.remove(thread);
        self.enter(thread, Arrival::Moved) == Notice::Preempt
    }

    fn slice_end(&self) -> Option<u64> {
        // Of when its time was last counted: it makes no difference that it has run on since.
        let running = self.running.get()?;
        let left = running.word(DEADLINE).wrapping_sub(running.word(TIME)).cast_signed();
        // Rounded up, so that the slice is used up then.
        Some(self.counted.get() + service(left, running.word(WEIGHT)).max(0).cast_unsigned() + 1)
    }
}
