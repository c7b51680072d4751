//! The lives of threads: joined, scoped, parked, asleep, named, with stacks of their own, ended by a panic.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{self, Builder};
use std::time::{Duration, Instant};

use crate::{Test, check, scaled};

pub const TESTS: &[Test] = &[
    ("join_results", join_results),
    ("many_short", many_short),
    ("scoped", scoped),
    ("parking", parking),
    ("parking_for_a_time", parking_for_a_time),
    ("sleeping", sleeping),
    ("names_and_stacks", names_and_stacks),
    ("panics_at_join", panics_at_join),
    ("panic_in_scope", panic_in_scope),
    ("sorting", sorting),
];

fn join_results() {
    let threads: Vec<_> = (0..64_u64).map(|index| thread::spawn(move || vec![index; 100])).collect();
    for (index, thread) in threads.into_iter().enumerate() {
        check(thread.join().unwrap() == vec![index as u64; 100], "what it returned");
    }
}

fn many_short() {
    let count = Arc::new(AtomicUsize::new(0));
    for _ in 0..scaled(2000) {
        let count = count.clone();
        thread::spawn(move || count.fetch_add(1, Ordering::Relaxed)).join().unwrap();
    }
    check(count.load(Ordering::Relaxed) == scaled(2000) && Arc::strong_count(&count) == 1, "all came and went");
}

fn scoped() {
    let mut numbers = vec![0_usize; 10_000];
    for round in 1..=scaled(20) {
        thread::scope(|scope| {
            for (index, part) in numbers.chunks_mut(500).enumerate() {
                scope.spawn(move || part.iter_mut().for_each(|number| *number += index));
            }
        });
        let expected: usize = (0..20).map(|index| index * 500 * round).sum();
        check(numbers.iter().sum::<usize>() == expected, "each part by its thread");
    }
}

fn parking() {
    static TURN: AtomicUsize = AtomicUsize::new(0);
    TURN.store(0, Ordering::SeqCst);
    let rounds = scaled(1000);
    let main = thread::current();
    let other = thread::spawn(move || {
        for round in 0..rounds {
            while TURN.load(Ordering::SeqCst) != 2 * round + 1 {
                thread::park();
            }
            TURN.store(2 * round + 2, Ordering::SeqCst);
            main.unpark();
        }
    });
    for round in 0..rounds {
        TURN.store(2 * round + 1, Ordering::SeqCst);
        other.thread().unpark();
        while TURN.load(Ordering::SeqCst) != 2 * round + 2 {
            thread::park();
        }
    }
    other.join().unwrap();
    check(TURN.load(Ordering::SeqCst) == 2 * rounds, "turn by turn");
    // A token that came before is not lost.
    thread::current().unpark();
    thread::park();
    check(true, "one token is kept");
}

fn parking_for_a_time() {
    // Another test's token may still be there: park until the time is over.
    let begin = Instant::now();
    while begin.elapsed() < Duration::from_millis(5) {
        thread::park_timeout(Duration::from_millis(5));
    }
    check(true, "nobody unparked it");
}

fn sleeping() {
    thread::scope(|scope| {
        for milliseconds in 0..16 {
            scope.spawn(move || {
                let begin = Instant::now();
                thread::sleep(Duration::from_millis(milliseconds));
                check(begin.elapsed() >= Duration::from_millis(milliseconds), "not too early");
            });
        }
    });
}

/// Uses about so many kilobytes of stack.
fn dive(kilobytes: usize) -> usize {
    let frame = std::hint::black_box([kilobytes; 128]);
    if kilobytes == 0 { 0 } else { dive(std::hint::black_box(kilobytes - 1)) + frame[7] - kilobytes }
}

fn names_and_stacks() {
    for kilobytes in [64, 512, 4096] {
        let name = format!("stack {kilobytes}");
        let builder = Builder::new().name(name.clone()).stack_size(kilobytes << 10);
        let thread =
            builder.spawn(move || (thread::current().name().map(str::to_string), dive(kilobytes / 2))).unwrap();
        check(thread.join().unwrap() == (Some(name), 0), "its name, and the stack held");
    }
    check(thread::available_parallelism().unwrap().get() >= 1, "there is a processor");
}

struct Noted(Arc<AtomicUsize>);

impl Drop for Noted {
    fn drop(&mut self) {
        self.0.fetch_add(usize::from(thread::panicking()), Ordering::Relaxed);
    }
}

fn panics_at_join() {
    let dropped = Arc::new(AtomicUsize::new(0));
    let threads: Vec<_> = (0..32_usize)
        .map(|index| {
            let noted = Noted(dropped.clone());
            thread::spawn(move || {
                let _noted = noted;
                if index % 2 == 0 {
                    panic!("thread {index}");
                }
                std::panic::panic_any(index);
            })
        })
        .collect();
    for (index, thread) in threads.into_iter().enumerate() {
        let reason = thread.join().unwrap_err();
        match index % 2 {
            0 => check(*reason.downcast::<String>().unwrap() == format!("thread {index}"), "its words"),
            _ => check(*reason.downcast::<usize>().unwrap() == index, "its value"),
        }
    }
    check(dropped.load(Ordering::Relaxed) == 32, "each unwound");
}

fn panic_in_scope() {
    let finished = AtomicBool::new(false);
    let result = catch_unwind(AssertUnwindSafe(|| {
        thread::scope(|scope| {
            scope.spawn(|| panic!("inside"));
            scope.spawn(|| {
                thread::sleep(Duration::from_millis(2));
                finished.store(true, Ordering::SeqCst);
            });
        });
    }));
    check(result.is_err() && finished.load(Ordering::SeqCst), "the scope waits for all, then panics");
}

fn merge_sort(numbers: &mut [u32], depth: usize) {
    if depth == 0 || numbers.len() < 2 {
        return numbers.sort_unstable();
    }
    let (left, right) = numbers.split_at_mut(numbers.len() / 2);
    thread::scope(|scope| {
        scope.spawn(|| merge_sort(left, depth - 1));
        merge_sort(right, depth - 1);
    });
    numbers.sort(); // two runs: a merge
}

fn sorting() {
    let mut state = 1_u32;
    let next = |_| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state
    };
    let mut numbers: Vec<u32> = (0..scaled(100_000)).map(next).collect();
    let mut expected = numbers.clone();
    expected.sort_unstable();
    merge_sort(&mut numbers, 5);
    check(numbers == expected, "sorted by 32 threads");
}
