//! Mutex, RwLock, Condvar, Barrier, Once and their kin, poisoned too.

use std::sync::atomic::{AtomicUsize, Ordering, fence};
use std::sync::{Arc, Barrier, Condvar, LazyLock, Mutex, Once, OnceLock, RwLock, TryLockError};
use std::thread;
use std::time::{Duration, Instant};

use crate::{Test, check, scaled};

pub const TESTS: &[Test] = &[
    ("mutex", mutex),
    ("poisoned", poisoned),
    ("read_write", read_write),
    ("condition", condition),
    ("condition_limit", condition_limit),
    ("barrier", barrier),
    ("once", once),
    ("counted_references", counted_references),
];

fn mutex() {
    let numbers = Mutex::new((0_usize, 0_usize));
    thread::scope(|scope| {
        for index in 0..64 {
            let numbers = &numbers;
            scope.spawn(move || {
                for round in 0..scaled(1000) {
                    let mut numbers = numbers.lock().unwrap();
                    numbers.0 += 1;
                    if (round + index) % 100 == 0 {
                        thread::yield_now();
                    }
                    numbers.1 += 1;
                }
            });
        }
    });
    let all = 64 * scaled(1000);
    check(numbers.into_inner().unwrap() == (all, all), "nobody came between");
}

fn poisoned() {
    let shared = Arc::new(Mutex::new(5));
    let other = shared.clone();
    let thread = thread::spawn(move || {
        let _guard = other.lock().unwrap();
        panic!("while it is held");
    });
    check(thread.join().is_err() && shared.is_poisoned(), "poisoned by the panic");
    check(matches!(shared.try_lock(), Err(TryLockError::Poisoned(_))), "an error, and yet the lock");
    shared.clear_poison();
    check(*shared.lock().unwrap() == 5, "cleared");
}

fn read_write() {
    let pair = RwLock::new((0_usize, 0_usize));
    let (readers, together) = (AtomicUsize::new(0), AtomicUsize::new(0));
    thread::scope(|scope| {
        for index in 0..32 {
            let (pair, readers, together) = (&pair, &readers, &together);
            scope.spawn(move || {
                for round in 0..scaled(500) {
                    if (round + index) % 8 == 0 {
                        let mut pair = pair.write().unwrap();
                        assert_eq!(readers.load(Ordering::SeqCst), 0);
                        pair.0 += 1;
                        thread::yield_now();
                        pair.1 += 1;
                    } else {
                        let pair = pair.read().unwrap();
                        together.fetch_max(readers.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                        assert_eq!(pair.0, pair.1);
                        readers.fetch_sub(1, Ordering::SeqCst);
                    }
                }
            });
        }
    });
    let (first, second) = pair.into_inner().unwrap();
    check(first == second && first >= 32 * (scaled(500) / 8), "both halves");
    check(together.into_inner() >= 1, "somebody read");
}

fn condition() {
    let (state, changed) = (Mutex::new(0_usize), Condvar::new());
    let rounds = scaled(300);
    thread::scope(|scope| {
        for index in 0..4 {
            let (state, changed) = (&state, &changed);
            scope.spawn(move || {
                for round in 0..rounds {
                    let wanted = 4 * round + index;
                    let mut state = changed.wait_while(state.lock().unwrap(), |state| *state != wanted).unwrap();
                    *state += 1;
                    changed.notify_all();
                }
            });
        }
    });
    check(state.into_inner().unwrap() == 4 * rounds, "four in turn");
}

fn condition_limit() {
    let (state, changed) = (Mutex::new(false), Condvar::new());
    let begin = Instant::now();
    let limit = Duration::from_millis(4);
    let (guard, result) = changed.wait_timeout_while(state.lock().unwrap(), limit, |set| !*set).unwrap();
    check(result.timed_out() && !*guard && begin.elapsed() >= limit, "nobody set it");
}

fn barrier() {
    let (barrier, arrived, leaders) = (Barrier::new(32), AtomicUsize::new(0), AtomicUsize::new(0));
    thread::scope(|scope| {
        for _ in 0..32 {
            scope.spawn(|| {
                for round in 1..=scaled(30) {
                    arrived.fetch_add(1, Ordering::SeqCst);
                    leaders.fetch_add(usize::from(barrier.wait().is_leader()), Ordering::SeqCst);
                    assert!(arrived.load(Ordering::SeqCst) >= 32 * round);
                    barrier.wait();
                }
            });
        }
    });
    check(leaders.into_inner() == scaled(30), "one leader each time");
}

fn once() {
    static LAZY: LazyLock<usize> = LazyLock::new(|| 42);
    let (once, cell, calls) = (Once::new(), OnceLock::new(), AtomicUsize::new(0));
    thread::scope(|scope| {
        for index in 0..32 {
            let (once, cell, calls) = (&once, &cell, &calls);
            scope.spawn(move || {
                once.call_once(|| {
                    thread::sleep(Duration::from_millis(1));
                    calls.fetch_add(1, Ordering::SeqCst);
                });
                assert_eq!(calls.load(Ordering::SeqCst), 1);
                let chosen = *cell.get_or_init(|| index);
                check(Some(&chosen) == cell.get() && *LAZY == 42, "one value for all");
            });
        }
    });
}

fn counted_references() {
    let shared = Arc::new(vec![1_u8; 1000]);
    let weak = Arc::downgrade(&shared);
    let threads: Vec<_> = (0..16)
        .map(|_| {
            let shared = shared.clone();
            thread::spawn(move || (0..scaled(5000)).map(|_| Arc::clone(&shared).len()).sum::<usize>())
        })
        .collect();
    drop(shared);
    let sum: usize = threads.into_iter().map(|thread| thread.join().unwrap()).sum();
    fence(Ordering::SeqCst);
    check(sum == 16 * scaled(5000) * 1000 && weak.upgrade().is_none(), "the last one dropped it");
}
