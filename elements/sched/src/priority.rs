//! Fixed priorities, 1 to 99, and below them a band with a policy of its own.
//!
//! As in POSIX (sched(7)): the greatest priority runs; within one, threads of `SCHED_FIFO` run as long as they like,
//! those of `SCHED_RR` for a slice; who is interrupted by a greater priority goes on first afterwards, who yields or
//! has used up its slice last. All other classes are in the band, which runs when no priority is runnable.

use core::marker::PhantomData;

use intrusive::{Link, List, Word};

use crate::{Arrival, Class, Entity, EntityRef, Leaving, Notice, Policy, Time};

/// The greatest priority.
const MOST: usize = 99;

/// An entity's word: the priority it is queued or runs with; 0 is the band. The band's policy uses those before.
const LEVEL: usize = 5;

/// Threads by priority, `SCHED_RR` in slices of `SLICE` microseconds, and the band `B`.
#[derive(Debug)]
pub struct Queue<B, T, const SLICE: u64> {
    /// Those of priority n + 1.
    levels: [List<Entity>; MOST],
    /// Bit n: somebody waits with priority n.
    occupied: [Word; 2],
    band: B,
    running: Link<Entity>,
    /// When the running thread's slice ends; 0: nobody has asked yet.
    end: Word,
    clock: PhantomData<fn() -> T>,
}

/// The priority that a thread's parameters ask for.
fn wanted(thread: EntityRef) -> usize {
    let parameters = thread.parameters();
    match parameters.class {
        Class::Fifo | Class::RoundRobin => usize::from(parameters.priority).clamp(1, MOST),
        Class::Fair | Class::Batch | Class::Idle => 0,
    }
}

fn level(thread: EntityRef) -> usize {
    thread.words[LEVEL].get() as usize
}

impl<B: Policy, T: Time, const SLICE: u64> Queue<B, T, SLICE> {
    /// The greatest priority that waits; 0: none, or somebody in the band.
    fn highest(&self) -> usize {
        let [low, high] = [self.occupied[0].get(), self.occupied[1].get()];
        if high != 0 {
            127 - high.leading_zeros() as usize
        } else {
            63_usize.saturating_sub(low.leading_zeros() as usize)
        }
    }

    /// Whether nobody waits but in the band.
    #[inline(always)]
    fn band_is_alone(&self) -> bool {
        self.occupied[0].get() | self.occupied[1].get() == 0
    }

    fn occupy(&self, level: usize, occupied: bool) {
        let word = &self.occupied[level / 64];
        let bit = 1 << (level % 64);
        word.set(if occupied { word.get() | bit } else { word.get() & !bit });
    }

    fn put(&self, thread: EntityRef, level: usize, first: bool) {
        let list = &self.levels[level - 1];
        if first {
            list.push_front(thread)
        } else {
            list.push_back(thread)
        }
        self.occupy(level, true);
    }

    fn withdraw(&self, thread: EntityRef) {
        let level = level(thread);
        self.levels[level - 1].remove(thread);
        self.occupy(level, !self.levels[level - 1].is_empty());
    }

    /// Notes that a thread runs from now on.
    fn run(&self, thread: EntityRef) -> EntityRef {
        self.running.set(Some(thread));
        self.end.set(0);
        thread
    }

    /// The running thread's priority, if one runs.
    fn current(&self) -> Option<usize> {
        self.running.get().map(level)
    }

    /// Whether the running thread has had its slice.
    fn slice_is_over(&self) -> bool {
        self.end.get() != 0 && T::now() >= self.end.get()
    }
}

impl<B: Policy, T: Time, const SLICE: u64> Policy for Queue<B, T, SLICE> {
    const NEW: Self = Self {
        levels: [const { List::new() }; MOST],
        occupied: [const { Word::new(0) }; 2],
        band: B::NEW,
        running: Link::new(),
        end: Word::new(0),
        clock: PhantomData,
    };

    fn enter(&self, thread: EntityRef, arrival: Arrival) -> Notice {
        let level = wanted(thread);
        thread.words[LEVEL].set(level as u64);
        if level == 0 {
            let notice = self.band.enter(thread, arrival);
            return if self.current() == Some(0) { notice } else { Notice::None };
        }
        self.put(thread, level, false);
        match self.current() {
            Some(current) if level > current => Notice::Preempt,
            Some(current) if level == current => Notice::Look,
            _ => Notice::None,
        }
    }

    fn take(&self) -> Option<EntityRef> {
        let thread = match self.highest() {
            0 => self.band.take()?,
            level => {
                let thread = self.levels[level - 1].pop_front()?;
                self.occupy(level, !self.levels[level - 1].is_empty());
                thread
            }
        };
        Some(self.run(thread))
    }

    fn start(&self, thread: EntityRef) {
        let level = wanted(thread);
        thread.words[LEVEL].set(level as u64);
        if level == 0 {
            self.band.start(thread);
        }
        self.run(thread);
    }

    fn requeue(&self, thread: EntityRef, leaving: Leaving) {
        match level(thread) {
            0 => self.band.requeue(thread, leaving),
            level => self.put(thread, level, leaving == Leaving::Preempted && !self.slice_is_over()),
        }
        self.running.set(None);
    }

    fn renew(&self, thread: EntityRef, leaving: Leaving) -> EntityRef {
        if level(thread) == 0 && self.band_is_alone() {
            let best = self.band.renew(thread, leaving);
            return self.run(best);
        }
        self.requeue(thread, leaving);
        self.take().unwrap_or(thread)
    }

    fn depart(&self, thread: EntityRef) {
        if level(thread) == 0 {
            self.band.depart(thread);
        }
        self.running.set(None);
    }

    fn succeed(&self, thread: EntityRef) -> Option<EntityRef> {
        if level(thread) == 0 && self.band_is_alone() {
            let best = self.band.succeed(thread);
            self.running.set(best);
            self.end.set(0);
            return best;
        }
        self.depart(thread);
        self.take()
    }

    fn remove(&self, thread: EntityRef) {
        match level(thread) {
            0 => self.band.remove(thread),
            _ => self.withdraw(thread),
        }
    }

    fn give(&self, fits: impl Fn(EntityRef) -> bool) -> Option<EntityRef> {
        let waiting = self.levels.iter().rev().flat_map(List::iter).find(|thread| fits(*thread));
        match waiting {
            Some(thread) => {
                self.withdraw(thread);
                Some(thread)
            }
            None => self.band.give(fits),
        }
    }

    fn change(&self, thread: EntityRef, runs: bool) -> bool {
        let (old, new) = (level(thread), wanted(thread));
        if old == 0 && new == 0 {
            return self.band.change(thread, runs) && self.current() == Some(0);
        }
        if !runs {
            self.remove(thread);
            return self.enter(thread, Arrival::Moved) == Notice::Preempt;
        }
        self.depart(thread);
        self.start(thread);
        self.highest() > new
    }

    fn slice_end(&self) -> Option<u64> {
        let running = self.running.get()?;
        let current = level(running);
        if current == 0 && self.band_is_alone() {
            return self.band.slice_end();
        }
        if self.highest() > current {
            return Some(0);
        }
        if running.parameters().class != Class::RoundRobin || self.levels[current - 1].is_empty() {
            return None;
        }
        if self.end.get() == 0 {
            self.end.set(T::now().saturating_add(SLICE * 1000));
        }
        Some(self.end.get())
    }
}
