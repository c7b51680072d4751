//! The orders of two processors' steps, by `loom`: `RUSTFLAGS="--cfg loom" cargo test --release -p sched`.

use std::boxed::Box;
use std::vec::Vec;

use loom::sync::Arc;
use loom::thread;

use crate::*;

/// No time passes.
struct Still;

impl Time for Still {
    fn now() -> u64 {
        1
    }
}

fn entity() -> EntityRef {
    let entity: &_ = Box::leak(Box::new(Entity::new()));
    // Loom's atomics are made at their first use, which has to be before another thread's.
    let _ = (entity.place(), entity.parameters(), entity.affinity());
    EntityRef::fixed(entity)
}

fn scheduler<P: Policy>() -> Arc<Queues<P, 2>> {
    let scheduler = Arc::new(Queues::new());
    scheduler.touch();
    scheduler
}

/// Runs a model in every order in which a processor is interrupted at most twice: seconds, and what usually is wrong
/// shows by then.
fn check(model: impl Fn() + Send + Sync + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(2);
    builder.check(model);
}

/// The threads that a processor gets until there are no more.
fn drain(scheduler: &impl Scheduler, processor: u32) -> Vec<EntityRef> {
    let mut leaving = None;
    core::iter::from_fn(|| {
        let thread = scheduler.next(processor, leaving).thread?;
        leaving = Some((thread, Leaving::Ended));
        Some(thread)
    })
    .collect()
}

/// Both processors add a thread and take what they find: each is found once.
fn nothing_is_lost_or_doubled<P: Policy + Send + 'static>() {
    check(|| {
        let scheduler = scheduler::<P>();
        let threads = [entity(), entity()];
        let other = {
            let scheduler = Arc::clone(&scheduler);
            thread::spawn(move || {
                scheduler.add(threads[1], Arrival::New, 1);
                drain(&*scheduler, 1)
            })
        };
        scheduler.add(threads[0], Arrival::New, 0);
        let mut found = drain(&*scheduler, 0);
        found.extend(other.join().expect("no panic"));
        found.extend(drain(&*scheduler, 0));
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(threads.iter().all(|thread| found.contains(thread)));
    });
}

#[test]
fn fifo_loses_nothing() {
    nothing_is_lost_or_doubled::<fifo::Queue>();
}

#[test]
fn fair_loses_nothing() {
    nothing_is_lost_or_doubled::<fair::Queue<Still, 3000>>();
}

/// A processor goes idle while the other one queues a thread: it finds the thread, or is told to look.
#[test]
fn no_thread_waits_beside_an_idle_processor() {
    check(|| {
        let scheduler = scheduler::<fifo::Queue>();
        let thread = entity();
        let other = {
            let scheduler = Arc::clone(&scheduler);
            thread::spawn(move || scheduler.next(1, None).thread)
        };
        let placed = scheduler.add(thread, Arrival::New, 0);
        let found = other.join().expect("no panic");
        assert!(found.is_some() || placed == Placed { processor: 1, notice: Notice::Look }, "{placed:?}");
    });
}

/// A thread is bound to a processor while the other one takes it: it stays there, or that one is told to let go.
#[test]
fn affinity_holds_against_stealing() {
    check(|| {
        let scheduler = scheduler::<fifo::Queue>();
        let thread = entity();
        scheduler.add(thread, Arrival::New, 0);
        let other = {
            let scheduler = Arc::clone(&scheduler);
            thread::spawn(move || scheduler.next(1, None))
        };
        let placed = scheduler.set_affinity(thread, 1, 0);
        let next = other.join().expect("no panic");
        let stolen = next.thread.is_some();
        assert!(!stolen || placed == Placed { processor: 1, notice: Notice::Preempt }, "{placed:?} {next:?}");
        assert_eq!(drain(&*scheduler, 0).len(), usize::from(!stolen));
    });
}

/// The same while the other processor adds it.
#[test]
fn affinity_holds_against_waking() {
    check(|| {
        let scheduler = scheduler::<fifo::Queue>();
        let thread = entity();
        let other = {
            let scheduler = Arc::clone(&scheduler);
            thread::spawn(move || scheduler.add(thread, Arrival::New, 1))
        };
        scheduler.set_affinity(thread, 1, 0);
        other.join().expect("no panic");
        assert_eq!(drain(&*scheduler, 1), []);
        assert_eq!(drain(&*scheduler, 0), [thread]);
    });
}
