//! Random threads on random processors, against a model that knows where each thread is: none is lost, none runs
//! twice or where it may not, and none waits while a processor idles that may run it and was not told to look.

use std::vec::Vec;

use super::{Model, NOW, Random, threads};
use crate::*;

#[derive(Clone, Copy, PartialEq, Debug)]
enum State {
    Out,
    Waiting,
    Running(u32),
}

/// A kernel of `processors` processors that do one thing at a time, in random order.
struct Kernel<'a, S> {
    scheduler: &'a S,
    threads: Vec<EntityRef>,
    states: Vec<State>,
    running: Vec<Option<usize>>,
    told: Vec<bool>,
    random: Random,
}

impl<'a, S: Scheduler> Kernel<'a, S> {
    fn new(scheduler: &'a S, processors: usize, count: usize, seed: u64) -> Self {
        for processor in 0..processors {
            assert_eq!(scheduler.next(processor as u32, None), Next { thread: None, wake: 0 });
        }
        Self {
            scheduler,
            threads: threads(count),
            states: std::vec![State::Out; count],
            running: std::vec![None; processors],
            told: std::vec![false; processors],
            random: Random(seed),
        }
    }

    fn allowed(&self, thread: usize, processor: usize) -> bool {
        let all = u64::MAX >> (64 - self.running.len());
        let mask = match self.threads[thread].affinity() & all {
            0 => all,
            some => some,
        };
        mask >> processor & 1 != 0
    }

    fn note(&mut self, placed: Placed) {
        self.told[placed.processor as usize] |= placed.notice != Notice::None;
    }

    fn add(&mut self, thread: usize, here: usize) {
        let placed = self.scheduler.add(self.threads[thread], Arrival::Woken, here as u32);
        self.states[thread] = State::Waiting;
        self.note(placed);
    }

    fn next(&mut self, processor: usize, how: Leaving) {
        let leaving = self.running[processor].map(|thread| (self.threads[thread], how));
        if let Some(thread) = self.running[processor] {
            self.states[thread] =
                if matches!(how, Leaving::Blocked | Leaving::Ended) { State::Out } else { State::Waiting };
        }
        self.told[processor] = false;
        let next = self.scheduler.next(processor as u32, leaving);
        for (other, told) in self.told.iter_mut().enumerate() {
            *told |= next.wake >> other & 1 != 0;
        }
        self.running[processor] =
            next.thread.map(|found| self.threads.iter().position(|thread| *thread == found).expect("a known thread"));
        if let Some(thread) = self.running[processor] {
            assert_eq!(self.states[thread], State::Waiting, "a thread runs that did not wait");
            assert!(self.allowed(thread, processor), "a thread runs where it may not");
            self.states[thread] = State::Running(processor as u32);
        }
    }

    /// What holds after each step.
    fn check(&self) {
        let waiting: usize = (0..self.running.len()).map(|p| self.scheduler.waiting(p as u32)).sum();
        assert_eq!(waiting, self.states.iter().filter(|state| **state == State::Waiting).count());
        for (thread, _) in self.states.iter().enumerate().filter(|(_, state)| **state == State::Waiting) {
            let fits = |p: &usize| self.running[*p].is_none() && self.allowed(thread, *p);
            let idle = (0..self.running.len()).find(fits);
            let anybody_told = self.told.contains(&true);
            assert!(idle.is_none() || anybody_told, "thread {thread} waits while {idle:?} idles");
        }
    }

    fn step(&mut self) {
        NOW.set(NOW.get() + self.random.below(3_000_000) as u64);
        let processor = self.random.below(self.running.len());
        let thread = self.random.below(self.threads.len());
        match self.random.below(12) {
            0..4 if self.states[thread] == State::Out => self.add(thread, processor),
            4 => {
                let placed = self.scheduler.set_affinity(
                    self.threads[thread],
                    self.random.below(1 << self.running.len()) as u64,
                    processor as u32,
                );
                self.note(placed);
            }
            5 => {
                let class =
                    [Class::Fair, Class::Batch, Class::Idle, Class::Fifo, Class::RoundRobin][self.random.below(5)];
                let priority =
                    if matches!(class, Class::Fifo | Class::RoundRobin) { 1 + self.random.below(99) as u8 } else { 0 };
                let parameters = Parameters { class, priority, nice: self.random.below(40) as i8 - 20 };
                let placed = self.scheduler.set_parameters(self.threads[thread], parameters);
                self.note(placed);
            }
            6 | 7 => self.next(processor, Leaving::Blocked),
            8 | 9 => self.next(processor, Leaving::Yielded),
            10 => self.next(processor, Leaving::Preempted),
            _ => {
                let _ = self.scheduler.slice_end(processor as u32);
            }
        }
    }

    fn run(&mut self, steps: usize) {
        for _ in 0..steps {
            self.step();
            self.check();
        }
    }
}

/// Random threads on one and on three processors.
macro_rules! nothing_is_lost {
    ($($name:ident: $one:ty, $three:ty;)*) => {
        $(
            #[test]
            fn $name() {
                let steps = if cfg!(miri) { 100 } else { 10_000 };
                for seed in 0..if cfg!(miri) { 1 } else { 4 } {
                    let one = <$one>::new();
                    Kernel::new(&one, 1, 6, seed).run(steps);
                    let three = <$three>::new();
                    Kernel::new(&three, 3, 9, seed).run(steps);
                }
            }
        )*
    };
}

nothing_is_lost! {
    fifo_loses_nothing: Fifo<1>, Fifo<3>;
    fair_loses_nothing: Fair<Model, 1, 3_000>, Fair<Model, 3, 3_000>;
    priority_loses_nothing:
        Priority<fair::Queue<Model, 3_000>, Model, 1, 10_000>, Priority<fair::Queue<Model, 3_000>, Model, 3, 10_000>;
    priority_over_fifo_loses_nothing:
        Priority<fifo::Queue, Model, 1, 10_000>, Priority<fifo::Queue, Model, 3, 10_000>;
    round_robin_loses_nothing: RoundRobin<Model, 1, 10_000>, RoundRobin<Model, 3, 10_000>;
}
