//! Two threads at a lock, in every order of their steps with at most one interruption of a thread, by `loom`.
//! Parking is a permit under loom's own lock, so what is modelled is the word, the count and the queue.
#![allow(unsafe_code)]

use core::task::Waker;
use std::{cell::RefCell, sync::Arc as StdArc, task::Wake};

use loom::{
    sync::{Arc, Condvar, Mutex},
    thread,
};

use super::{Condition, Lock, Semaphore, Threads};

#[derive(Debug, Default)]
struct Modelled;

/// A thread's permit.
struct Permit {
    given: Mutex<bool>,
    changed: Condvar,
}

impl Wake for Permit {
    fn wake(self: StdArc<Self>) {
        *self.given.lock().unwrap() = true;
        self.changed.notify_one();
    }
}

loom::thread_local! {
    static PERMIT: RefCell<Option<StdArc<Permit>>> = RefCell::new(None);
}

fn permit() -> StdArc<Permit> {
    PERMIT.with(|permit| {
        let new = || StdArc::new(Permit { given: Mutex::new(false), changed: Condvar::new() });
        StdArc::clone(permit.borrow_mut().get_or_insert_with(new))
    })
}

// SAFETY: it does not say that threads take turns.
unsafe impl Threads for Modelled {
    fn take_turns() -> bool {
        false
    }

    fn waker() -> Waker {
        permit().into()
    }

    fn park() {
        let permit = permit();
        let mut given = permit.given.lock().unwrap();
        while !*given {
            given = permit.changed.wait(given).unwrap();
        }
        *given = false;
    }

    fn park_until(_: u64) -> bool {
        false
    }
}

fn model(work: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(1);
    builder.check(work);
}

#[test]
fn a_lock_lets_one_in_and_wakes_the_other() {
    model(|| {
        let both = Arc::new((Lock::<Modelled>::new(), loom::cell::Cell::new(0)));
        let add = |both: &(Lock<Modelled>, loom::cell::Cell<u32>)| {
            both.0.acquire();
            both.1.set(both.1.get() + 1);
            both.0.release();
        };
        // Loom's atomics are made at their first use, which has to be before another thread's.
        add(&both);
        let theirs = Shared(Arc::clone(&both));
        let other = thread::spawn(move || add(theirs.get()));
        add(&both);
        other.join().unwrap();
        assert_eq!(both.1.get(), 3);
    });
}

#[test]
fn a_permit_is_never_overlooked() {
    model(|| {
        let semaphore = Arc::new(Semaphore::<Modelled>::new(0));
        semaphore.release();
        semaphore.acquire();
        let theirs = Arc::clone(&semaphore);
        let other = thread::spawn(move || theirs.acquire());
        semaphore.release();
        other.join().unwrap();
        assert!(!semaphore.try_acquire());
    });
}

#[test]
fn who_tells_under_the_lock_is_heard() {
    model(|| {
        let all = Arc::new((Lock::<Modelled>::new(), Condition::<Modelled>::new(), loom::cell::Cell::new(false)));
        all.0.acquire();
        all.0.release();
        all.1.tell_one();
        let theirs = Shared(Arc::clone(&all));
        let other = thread::spawn(move || {
            let (lock, changed, done) = theirs.get();
            lock.acquire();
            done.set(true);
            changed.tell_one();
            lock.release();
        });
        let (lock, changed, done) = &*all;
        lock.acquire();
        while !done.get() {
            changed.wait(None, |sleep| {
                lock.release();
                sleep();
                lock.acquire();
            });
        }
        lock.release();
        other.join().unwrap();
    });
}

/// What a lock guards goes to another thread.
struct Shared<T>(Arc<T>);

// SAFETY: loom ends the test when two reach the cell without an order between.
unsafe impl<T> Send for Shared<T> {}

impl<T> Shared<T> {
    fn get(&self) -> &T {
        &self.0
    }
}
