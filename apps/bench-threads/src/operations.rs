//! What is measured. Where a second thread answers, it does so for ever.

use std::{
    prelude::v1::*,
    sync::{
        Arc, Condvar, Mutex,
        atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed},
        mpsc,
    },
    thread::{self, Builder},
};

use crate::measure::Operation;

pub const OPERATIONS: &[Operation] = &[
    Operation { name: "create-join", ready: create_join },
    Operation { name: "create-run-exit", ready: create_run_exit },
    Operation { name: "mutex-lock-unlock", ready: lock_unlock },
    Operation { name: "yield-of-two", ready: || yield_of_two(Builder::new()) },
    Operation { name: "yield-hand-over", ready: hand_over },
    Operation { name: "yield-all-registers", ready: || yield_of_two(Builder::new().keep_vectors()) },
    Operation { name: "condvar-round-trip", ready: condition_round_trip },
    Operation { name: "channel-round-trip", ready: channel_round_trip },
];

fn create_join() -> Box<dyn FnMut(u64)> {
    Box::new(|rounds| {
        for _ in 0..rounds {
            thread::spawn(|| ()).join().unwrap();
        }
    })
}

/// Nobody waits for it: it runs when its maker yields.
fn create_run_exit() -> Box<dyn FnMut(u64)> {
    static RAN: AtomicU64 = AtomicU64::new(0);
    Box::new(|rounds| {
        let goal = RAN.load(Relaxed) + rounds;
        for _ in 0..rounds {
            thread::spawn(|| RAN.store(RAN.load(Relaxed) + 1, Relaxed));
            thread::yield_now();
        }
        assert!(RAN.load(Relaxed) == goal);
    })
}

fn lock_unlock() -> Box<dyn FnMut(u64)> {
    static MUTEX: Mutex<u64> = Mutex::new(0);
    Box::new(|rounds| {
        for _ in 0..rounds {
            *MUTEX.lock().unwrap() += 1;
        }
    })
}

/// Counts and yields until somebody has counted to `goal`. Both threads are in here, so that a switch returns to where
/// it was called from, as the processor predicts.
#[inline(never)]
fn yield_until(count: &AtomicU64, goal: &AtomicU64) {
    while count.load(Relaxed) < goal.load(Relaxed) {
        count.store(count.load(Relaxed) + 1, Relaxed);
        thread::yield_now();
    }
}

/// A round is one yield of either thread.
fn yield_of_two(builder: Builder) -> Box<dyn FnMut(u64)> {
    struct Pair {
        count: AtomicU64,
        goal: AtomicU64,
        ended: AtomicBool,
    }
    struct End(Arc<Pair>);
    impl Drop for End {
        fn drop(&mut self) {
            self.0.ended.store(true, Relaxed);
            thread::yield_now();
        }
    }
    let pair = Arc::new(Pair { count: AtomicU64::new(0), goal: AtomicU64::new(0), ended: AtomicBool::new(false) });
    let other = Arc::clone(&pair);
    let answer = move || {
        while !other.ended.load(Relaxed) {
            yield_until(&other.count, &other.goal);
            thread::yield_now();
        }
    };
    builder.spawn(answer).unwrap();
    let pair = End(pair);
    Box::new(move |rounds| {
        pair.0.goal.store(pair.0.count.load(Relaxed) + rounds, Relaxed);
        yield_until(&pair.0.count, &pair.0.goal);
    })
}

/// A round is one hand-over.
fn hand_over() -> Box<dyn FnMut(u64)> {
    const NOBODY: u32 = 2;
    static TURN: AtomicU32 = AtomicU32::new(0);
    /// Whether it became `mine`.
    fn wait_for(mine: u32) -> bool {
        while TURN.load(Relaxed) == 1 - mine {
            thread::yield_now();
        }
        TURN.load(Relaxed) == mine
    }
    /// A thread that yields for ever would be measured with all that follows.
    struct End;
    impl Drop for End {
        fn drop(&mut self) {
            TURN.store(NOBODY, Relaxed);
            thread::yield_now();
        }
    }
    TURN.store(0, Relaxed);
    thread::spawn(|| {
        while wait_for(1) {
            TURN.store(0, Relaxed);
        }
    });
    let end = End;
    Box::new(move |rounds| {
        let _ = &end;
        for _ in 0..rounds.div_ceil(2) {
            TURN.store(1, Relaxed);
            wait_for(0);
        }
    })
}

static TURN: Mutex<u32> = Mutex::new(0);
static CHANGED: Condvar = Condvar::new();

/// Waits for its turn and passes it on, so many times.
#[inline(never)]
fn pass_on(mine: u32, rounds: u64) {
    let mut turn = TURN.lock().unwrap();
    for _ in 0..rounds {
        while *turn != mine {
            turn = CHANGED.wait(turn).unwrap();
        }
        *turn = 1 - mine;
        CHANGED.notify_one();
    }
}

fn condition_round_trip() -> Box<dyn FnMut(u64)> {
    thread::spawn(|| pass_on(1, u64::MAX));
    Box::new(|rounds| pass_on(0, rounds))
}

fn channel_round_trip() -> Box<dyn FnMut(u64)> {
    let (there, questions) = mpsc::channel();
    let (answers, back) = mpsc::channel();
    thread::spawn(move || {
        for question in questions {
            let _ = answers.send(question);
        }
    });
    Box::new(move |rounds| {
        for round in 0..rounds {
            there.send(round).unwrap();
            assert!(back.recv() == Ok(round));
        }
    })
}
