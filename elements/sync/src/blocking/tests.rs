//! The locks with the host's threads.
#![allow(unsafe_code)]

use core::{cell::UnsafeCell, task::Waker};
use std::{
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering::SeqCst},
    },
    task::Wake,
    thread::{self, Thread},
    time::{Duration, Instant},
    vec::Vec,
};

use super::*;

/// The host's threads.
#[derive(Debug, Default)]
struct Host;

struct HostThread(Thread);

impl Wake for HostThread {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

fn start() -> Instant {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    *START.get_or_init(Instant::now)
}

fn now() -> u64 {
    start().elapsed().as_nanos() as u64
}

// SAFETY: it does not say that threads take turns.
unsafe impl Threads for Host {
    fn take_turns() -> bool {
        false
    }

    fn waker() -> Waker {
        Arc::new(HostThread(thread::current())).into()
    }

    fn park() {
        thread::park();
    }

    fn park_until(deadline: u64) -> bool {
        let left = deadline.saturating_sub(now());
        if left != 0 {
            thread::park_timeout(Duration::from_nanos(left));
        }
        left != 0
    }
}

/// A number that a lock has to guard.
#[derive(Default)]
struct Guarded(UnsafeCell<u64>);

// SAFETY: the tests' locks guard it; that they do is what is tested.
unsafe impl Sync for Guarded {}

impl Guarded {
    fn add(&self) {
        // SAFETY: as above.
        unsafe { *self.0.get() += 1 };
    }

    fn get(&self) -> u64 {
        // SAFETY: as above.
        unsafe { *self.0.get() }
    }
}

const THREADS: usize = 4;
const ROUNDS: u64 = if cfg!(miri) { 20 } else { 1_000 };

/// Runs `work` in some threads at once.
fn together(work: impl Fn() + Sync) {
    thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(&work);
        }
    });
}

#[test]
fn a_lock_lets_one_in() {
    let (lock, sum) = (Lock::<Host>::new(), Guarded::default());
    together(|| {
        for round in 0..ROUNDS {
            lock.acquire();
            sum.add();
            if round % 64 == 0 {
                thread::yield_now();
            }
            lock.release();
        }
    });
    assert_eq!(sum.get(), THREADS as u64 * ROUNDS);
    assert!(lock.try_acquire() && !lock.try_acquire());
}

#[test]
fn readers_share_and_writers_do_not() {
    let (lock, sum) = (ReadWriteLock::<Host>::new(), Guarded::default());
    together(|| {
        for round in 0..ROUNDS {
            if round % 4 == 0 {
                lock.write();
                sum.add();
                lock.end_write();
            } else {
                lock.read();
                let before = sum.get();
                thread::yield_now();
                assert_eq!(sum.get(), before);
                lock.end_read();
            }
        }
    });
    assert_eq!(sum.get(), THREADS as u64 * ROUNDS.div_ceil(4));
    assert!(lock.try_read() && lock.try_read() && !lock.try_write());
}

#[test]
fn a_semaphore_counts() {
    let (semaphore, inside) = (Semaphore::<Host>::new(2), AtomicU32::new(0));
    together(|| {
        for _ in 0..ROUNDS / 4 {
            semaphore.acquire();
            assert!(inside.fetch_add(1, SeqCst) < 2);
            thread::yield_now();
            inside.fetch_sub(1, SeqCst);
            semaphore.release();
        }
    });
    assert!(semaphore.try_acquire() && semaphore.try_acquire() && !semaphore.try_acquire());
    let deadline = now() + 2_000_000;
    assert!(!semaphore.acquire_until(deadline) && now() >= deadline);
    semaphore.release();
    assert!(semaphore.acquire_until(0));
}

#[test]
fn a_condition_is_heard() {
    let (lock, changed, turn) = (Lock::<Host>::new(), Condition::<Host>::new(), AtomicU32::new(0));
    let pass_on = |mine: u32| {
        for _ in 0..ROUNDS / 4 {
            lock.acquire();
            while turn.load(SeqCst) != mine {
                changed.wait(None, |sleep| {
                    lock.release();
                    sleep();
                    lock.acquire();
                });
            }
            turn.store((mine + 1) % 3, SeqCst);
            changed.tell_all();
            lock.release();
        }
    };
    thread::scope(|scope| {
        for mine in 0..3 {
            scope.spawn(move || pass_on(mine));
        }
    });
    assert_eq!(turn.load(SeqCst), 0);
    let deadline = now() + 2_000_000;
    assert!(!changed.wait(Some(deadline), |sleep| sleep()) && now() >= deadline);
}

#[test]
fn once_is_once() {
    let (once, tries) = (Once::<Host>::new(), AtomicU32::new(0));
    together(|| once.call(|| tries.fetch_add(1, SeqCst) == 2));
    assert_eq!((once.progress(), tries.load(SeqCst)), (Progress::Done, 3));
}

#[test]
fn a_barrier_opens_for_all_and_has_one_last() {
    let (barrier, come) = (Barrier::<Host>::new(THREADS as u32), AtomicU32::new(0));
    let rounds: Vec<u32> = (1..20).collect();
    let last = AtomicU32::new(0);
    together(|| {
        for &round in &rounds {
            come.fetch_add(1, SeqCst);
            last.fetch_add(u32::from(barrier.wait()), SeqCst);
            assert!(come.load(SeqCst) >= round * THREADS as u32);
            barrier.wait();
        }
    });
    assert_eq!(last.load(SeqCst), rounds.len() as u32);
}
