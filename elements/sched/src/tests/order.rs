//! Which thread comes next, on one processor.

use std::vec::Vec;

use super::{Model, NOW, Random, threads};
use crate::*;

type Turns = RoundRobin<Model, 1, 10_000>;
type Priorities = Priority<fair::Queue<Model, 3_000>, Model, 1, 10_000>;

/// The number of the thread that comes next.
fn next(scheduler: &impl Scheduler, all: &[EntityRef], leaving: Option<(EntityRef, Leaving)>) -> Option<usize> {
    let thread = scheduler.next(0, leaving).thread?;
    all.iter().position(|other| *other == thread)
}

fn parameters(class: Class, priority: u8) -> Parameters {
    Parameters { class, priority, nice: 0 }
}

#[test]
fn fifo_is_in_order_and_interrupts_nobody() {
    let (fifo, all) = (Fifo::<1>::new(), threads(4));
    for thread in &all {
        fifo.add(*thread, Arrival::New, 0);
    }
    assert_eq!(next(&fifo, &all, None), Some(0));
    assert_eq!(fifo.slice_end(0), None);
    assert_eq!(next(&fifo, &all, Some((all[0], Leaving::Preempted))), Some(0));
    assert_eq!(next(&fifo, &all, Some((all[0], Leaving::Yielded))), Some(1));
    assert_eq!(next(&fifo, &all, Some((all[1], Leaving::Blocked))), Some(2));
    assert_eq!(fifo.add(all[1], Arrival::Woken, 0).notice, Notice::None);
    let rest: Vec<_> = [2, 3, 0, 1].map(|ran| next(&fifo, &all, Some((all[ran], Leaving::Ended)))).into();
    assert_eq!(rest, [Some(3), Some(0), Some(1), None]);
    assert_eq!(fifo.add(all[0], Arrival::Woken, 0), Placed { processor: 0, notice: Notice::Look });
}

#[test]
fn turns_end_when_somebody_waits() {
    let (turns, all) = (Turns::new(), threads(3));
    NOW.set(1000);
    turns.add(all[0], Arrival::New, 0);
    assert_eq!(next(&turns, &all, None), Some(0));
    assert_eq!(turns.slice_end(0), None);
    assert_eq!(turns.add(all[1], Arrival::New, 0).notice, Notice::Look);
    assert_eq!(turns.slice_end(0), Some(10_001_000));
    NOW.set(500_000);
    assert_eq!(turns.add(all[2], Arrival::New, 0).notice, Notice::None);
    assert_eq!(turns.slice_end(0), Some(10_001_000));
    NOW.set(10_001_000);
    assert_eq!(next(&turns, &all, Some((all[0], Leaving::Preempted))), Some(1));
    assert_eq!(turns.slice_end(0), Some(20_001_000));
    assert_eq!(next(&turns, &all, Some((all[1], Leaving::Preempted))), Some(2));
    assert_eq!(next(&turns, &all, Some((all[2], Leaving::Preempted))), Some(0));
}

#[test]
fn one_thread_runs_to_completion() {
    let (none, all) = (RunToCompletion::new(), threads(1));
    assert_eq!(none.capacity(), 1);
    assert_eq!(next(&none, &all, None), None);
    none.add(all[0], Arrival::New, 0);
    assert_eq!(next(&none, &all, None), Some(0));
    assert_eq!(next(&none, &all, Some((all[0], Leaving::Yielded))), Some(0));
    assert_eq!(next(&none, &all, Some((all[0], Leaving::Blocked))), None);
    none.add(all[0], Arrival::Woken, 0);
    assert_eq!(none.waiting(0), 1);
    assert_eq!(next(&none, &all, None), Some(0));
    assert_eq!(next(&none, &all, Some((all[0], Leaving::Ended))), None);
}

#[test]
fn within_a_priority_posix_says_who_is_next() {
    let (scheduler, all) = (Priorities::new(), threads(4));
    for thread in &all[..3] {
        scheduler.set_parameters(*thread, parameters(Class::RoundRobin, 5));
        scheduler.add(*thread, Arrival::New, 0);
    }
    scheduler.set_parameters(all[3], parameters(Class::Fifo, 99));
    assert_eq!(next(&scheduler, &all, None), Some(0));
    let end = scheduler.slice_end(0).expect("others wait");
    // Interrupted by a greater priority: first again.
    assert_eq!(scheduler.add(all[3], Arrival::Woken, 0).notice, Notice::Preempt);
    assert_eq!(scheduler.slice_end(0), Some(0));
    assert_eq!(next(&scheduler, &all, Some((all[0], Leaving::Preempted))), Some(3));
    assert_eq!(scheduler.slice_end(0), None);
    assert_eq!(next(&scheduler, &all, Some((all[3], Leaving::Blocked))), Some(0));
    // The slice is over: last.
    NOW.set(scheduler.slice_end(0).expect("others wait").max(end));
    assert_eq!(next(&scheduler, &all, Some((all[0], Leaving::Preempted))), Some(1));
    assert_eq!(next(&scheduler, &all, Some((all[1], Leaving::Yielded))), Some(2));
    assert_eq!(next(&scheduler, &all, Some((all[2], Leaving::Blocked))), Some(0));
    // Its priority drops below that of a thread that waits.
    assert_eq!(scheduler.set_parameters(all[0], parameters(Class::Fair, 0)).notice, Notice::Preempt);
    assert_eq!(next(&scheduler, &all, Some((all[0], Leaving::Preempted))), Some(1));
    assert_eq!(scheduler.set_parameters(all[0], parameters(Class::Fifo, 6)).notice, Notice::Preempt);
}

/// Whatever happens, the running thread's priority is the greatest of all that are runnable.
#[test]
fn the_greatest_priority_runs() {
    let (scheduler, all, mut random) = (Priorities::new(), threads(12), Random(3));
    let mut runnable: Vec<EntityRef> = Vec::new();
    let mut running: Option<EntityRef> = None;
    scheduler.next(0, None);
    for _ in 0..if cfg!(miri) { 100 } else { 20_000 } {
        NOW.set(NOW.get() + random.below(1_000_000) as u64);
        let thread = all[random.below(all.len())];
        let notice = match random.below(4) {
            0 if !runnable.contains(&thread) => {
                runnable.push(thread);
                scheduler.add(thread, Arrival::Woken, 0).notice
            }
            1 => {
                let class = [Class::Fair, Class::Fifo, Class::RoundRobin][random.below(3)];
                let priority = if class == Class::Fair { 0 } else { 1 + random.below(99) as u8 };
                scheduler.set_parameters(thread, parameters(class, priority)).notice
            }
            2 => {
                runnable.retain(|other| Some(*other) != running);
                running = scheduler.next(0, running.map(|thread| (thread, Leaving::Blocked))).thread;
                Notice::None
            }
            _ => Notice::None,
        };
        if notice == Notice::Preempt || running.is_none() || scheduler.slice_end(0).is_some_and(|end| end <= NOW.get())
        {
            running = scheduler.next(0, running.map(|thread| (thread, Leaving::Preempted))).thread;
        }
        let most = runnable.iter().map(|thread| thread.parameters().priority).max();
        assert_eq!(running.map(|thread| thread.parameters().priority), most);
    }
}
