//! Thread-locals: lazily made, each thread's own, dropped at its end, also by a panic.

use std::cell::{Cell, RefCell};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::{Test, check, scaled};

pub const TESTS: &[Test] = &[("each_its_own", each_its_own), ("dropped_at_the_end", dropped_at_the_end)];

thread_local! {
    static NUMBER: Cell<usize> = const { Cell::new(17) };
    static TEXT: RefCell<String> = RefCell::new("start".repeat(10));
    static NOTED: Noted = const { Noted };
}

static DROPPED: AtomicUsize = AtomicUsize::new(0);

struct Noted;

impl Drop for Noted {
    fn drop(&mut self) {
        // Another local without a destructor is still there.
        NUMBER.with(|number| DROPPED.fetch_add(number.get(), Ordering::Relaxed));
    }
}

fn each_its_own() {
    for _ in 0..scaled(10) {
        thread::scope(|scope| {
            for index in 0..32 {
                scope.spawn(move || {
                    assert_eq!((NUMBER.get(), TEXT.take().len()), (17, 50));
                    NUMBER.set(index);
                    TEXT.set(index.to_string());
                    thread::yield_now();
                    check(NUMBER.get() == index && TEXT.take() == index.to_string(), "its own values");
                });
            }
        });
    }
    check(NUMBER.get() == 17, "the main thread's value stands");
}

fn dropped_at_the_end() {
    DROPPED.store(0, Ordering::Relaxed);
    for index in 0..64 {
        let thread = thread::spawn(move || {
            NOTED.with(|_| NUMBER.set(1));
            assert!(index % 2 == 0, "half of them panic");
        });
        check(thread.join().is_ok() == (index % 2 == 0), "as it ended");
    }
    check(DROPPED.load(Ordering::Relaxed) == 64, "each was dropped, and saw its thread's number");
}
