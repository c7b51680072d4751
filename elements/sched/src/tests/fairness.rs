//! The fair policy against a processor that could be shared without end.
//!
//! The model gives each runnable thread its share of every moment, by weight. A thread's lag is what the model gave it
//! less what it got. Who leaves takes its lag along, and the others share what that is worth, as in section 4 of the
//! paper.

use std::vec::Vec;

use super::{Model, NOW, Random, threads};
use crate::*;

const SLICE: u64 = 1000;

struct Shared {
    scheduler: Fair<Model, 1, SLICE>,
    all: Vec<EntityRef>,
    runnable: Vec<bool>,
    lag: Vec<f64>,
    got: Vec<u64>,
    running: Option<usize>,
}

impl Shared {
    fn new(count: usize) -> Self {
        let scheduler = Fair::new();
        scheduler.next(0, None);
        Self {
            scheduler,
            all: threads(count),
            runnable: std::vec![false; count],
            lag: std::vec![0.0; count],
            got: std::vec![0; count],
            running: None,
        }
    }

    fn weight(&self, thread: usize) -> f64 {
        fair::weight(self.all[thread].parameters()) as f64
    }

    fn load(&self) -> f64 {
        (0..self.all.len()).filter(|thread| self.runnable[*thread]).map(|thread| self.weight(thread)).sum()
    }

    /// Service that all runnable threads share.
    fn share(&mut self, service: f64) {
        let load = self.load();
        for thread in 0..self.all.len() {
            if self.runnable[thread] {
                self.lag[thread] += service * self.weight(thread) / load;
            }
        }
    }

    fn add(&mut self, thread: usize, arrival: Arrival) -> Notice {
        let lag = self.lag[thread];
        if self.load() > 0.0 {
            self.share(-lag);
        } else {
            self.lag[thread] = 0.0;
        }
        self.runnable[thread] = true;
        self.scheduler.add(self.all[thread], arrival, 0).notice
    }

    fn next(&mut self, how: Leaving) {
        let leaving = self.running.map(|thread| (self.all[thread], how));
        if let (Some(thread), Leaving::Blocked) = (self.running, how) {
            self.runnable[thread] = false;
            self.share(self.lag[thread]);
        }
        let next = self.scheduler.next(0, leaving).thread;
        self.running = next.map(|next| self.all.iter().position(|thread| *thread == next).expect("known"));
    }

    /// Lets the running thread run until then, or until its slice ends.
    fn run_until(&mut self, then: u64) {
        while NOW.get() < then {
            let end = self.scheduler.slice_end(0).map_or(then, |end| end.min(then));
            let passed = end - NOW.get();
            NOW.set(end);
            if let Some(running) = self.running {
                self.share(passed as f64);
                self.lag[running] -= passed as f64;
                self.got[running] += passed;
            }
            if end < then {
                self.next(Leaving::Preempted);
            }
        }
    }

    /// The greatest lag of all, in slices.
    fn worst(&self) -> f64 {
        let runnable = (0..self.all.len()).filter(|thread| self.runnable[*thread]);
        runnable.map(|thread| self.lag[thread].abs() / (SLICE * 1000) as f64).fold(0.0, f64::max)
    }
}

fn nice(nice: i8) -> Parameters {
    Parameters { nice, ..Parameters::default() }
}

#[test]
fn no_thread_is_a_slice_from_its_share() {
    for seed in 0..if cfg!(miri) { 1 } else { 12 } {
        let mut random = Random(seed);
        let mut shared = Shared::new(2 + random.below(20));
        for thread in 0..shared.all.len() {
            shared.scheduler.set_parameters(shared.all[thread], nice(random.below(40) as i8 - 20));
            shared.add(thread, Arrival::Woken);
        }
        shared.next(Leaving::Yielded);
        for _ in 0..if cfg!(miri) { 20 } else { 2000 } {
            shared.run_until(NOW.get() + random.below(2_000_000) as u64);
            assert!(shared.worst() < 1.01, "seed {seed}: {} slices", shared.worst());
        }
    }
}

#[test]
fn nor_is_one_that_sleeps_and_wakes() {
    let mut worst = 0.0_f64;
    for seed in 0..if cfg!(miri) { 1 } else { 12 } {
        let mut random = Random(seed);
        let mut shared = Shared::new(2 + random.below(20));
        for thread in 0..shared.all.len() {
            shared.scheduler.set_parameters(shared.all[thread], nice(random.below(20) as i8 - 10));
        }
        for _ in 0..if cfg!(miri) { 100 } else { 4_000 } {
            let thread = random.below(shared.all.len());
            if !shared.runnable[thread] && random.below(2) == 0 {
                let notice = shared.add(thread, Arrival::Woken);
                if shared.running.is_none() || notice == Notice::Preempt {
                    shared.next(Leaving::Preempted);
                }
            } else if random.below(3) == 0 {
                shared.next(Leaving::Blocked);
            }
            shared.run_until(NOW.get() + random.below(1_500_000) as u64);
            worst = worst.max(shared.worst());
        }
    }
    assert!(worst < 1.5, "{worst} slices");
}

/// sched(7): a step of nice is a factor of 1.25.
#[test]
fn weights_are_powers_of_nice() {
    for step in -20..20 {
        let exact = 1024.0 / 1.25_f64.powi(i32::from(step));
        let weight = fair::weight(nice(step)) as f64;
        assert!((weight / exact - 1.0).abs() < 0.03, "{step}: {weight} {exact}");
    }
}

#[test]
#[cfg_attr(miri, ignore = "ten thousand slices take minutes")]
fn shares_follow_the_weights() {
    let mut shared = Shared::new(3);
    for (thread, step) in [0, 5, -5].into_iter().enumerate() {
        shared.scheduler.set_parameters(shared.all[thread], nice(step));
        shared.add(thread, Arrival::New);
    }
    shared.next(Leaving::Yielded);
    shared.run_until(NOW.get() + 10_000_000_000);
    let share = |thread: usize| shared.got[thread] as f64 / shared.got[0] as f64;
    assert!((share(1) - 335.0 / 1024.0).abs() < 0.001, "{}", share(1));
    assert!((share(2) - 3121.0 / 1024.0).abs() < 0.002, "{}", share(2));
}

#[test]
fn a_yield_lets_the_other_run() {
    let mut shared = Shared::new(2);
    shared.add(0, Arrival::New);
    shared.add(1, Arrival::New);
    shared.next(Leaving::Yielded);
    for _ in 0..if cfg!(miri) { 20 } else { 1000 } {
        let before = shared.running;
        shared.run_until(NOW.get() + 100);
        shared.next(Leaving::Yielded);
        assert_ne!(shared.running, before);
    }
}

#[test]
fn who_woke_goes_first_and_batch_waits() {
    let mut shared = Shared::new(3);
    shared.scheduler.set_parameters(shared.all[2], Parameters { class: Class::Batch, ..Parameters::default() });
    shared.add(0, Arrival::New);
    shared.next(Leaving::Yielded);
    shared.run_until(NOW.get() + 600_000);
    assert_eq!(shared.add(2, Arrival::Woken), Notice::Look);
    assert_eq!(shared.add(1, Arrival::New), Notice::Preempt);
}
