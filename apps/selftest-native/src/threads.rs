//! Threads.

use std::{
    cell::{Cell, RefCell},
    prelude::v1::*,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU32, Ordering::SeqCst},
    },
    thread,
    time::{Duration, Instant},
};

use crate::tally::Tally;

static DROPPED: AtomicU32 = AtomicU32::new(0);

struct Counted(u32);

impl Drop for Counted {
    fn drop(&mut self) {
        DROPPED.fetch_add(self.0, SeqCst);
    }
}

thread_local! {
    static NUMBER: Cell<u32> = const { Cell::new(7) };
    static WORDS: RefCell<Vec<String>> = RefCell::new(Vec::from(["first".to_owned()]));
    static COUNTED: Counted = Counted(100);
}

pub fn check(tally: &mut Tally) {
    ends_and_results(tally);
    names_and_stacks(tally);
    scopes(tally);
    parking(tally);
    locals(tally);
    times(tally);
    many(tally);
}

fn ends_and_results(tally: &mut Tally) {
    let text = String::from("moved");
    let handle = thread::spawn(move || text + " and back");
    same!(tally, handle.join().unwrap(), "moved and back");
    let big = [7_u64; 300];
    same!(tally, thread::spawn(move || big.map(|number| number * 2)).join().unwrap()[299], 14);
    same!(tally, thread::spawn(|| thread::spawn(|| 5).join().unwrap() + 1).join().unwrap(), 6);

    // A result that nobody takes is dropped, whether its thread has ended or not.
    let handle = thread::spawn(|| Counted(1));
    while !handle.is_finished() {
        thread::yield_now();
    }
    drop(handle);
    same!(tally, DROPPED.load(SeqCst), 1);
    let done = Arc::new(AtomicBool::new(false));
    let mine = Arc::clone(&done);
    drop(thread::spawn(move || {
        mine.store(true, SeqCst);
        Counted(10)
    }));
    while DROPPED.load(SeqCst) != 11 {
        thread::yield_now();
    }
    holds!(tally, done.load(SeqCst));
}

fn names_and_stacks(tally: &mut Tally) {
    let main = thread::current();
    same!(tally, main.name(), Some("main"));
    let builder = thread::Builder::new().name("worker".to_owned()).stack_size(256 << 10);
    let handle = builder.spawn(|| (thread::current().id(), deep(1000))).unwrap();
    same!(tally, handle.thread().name(), Some("worker"));
    let id = handle.thread().id();
    same!(tally, handle.join().unwrap(), (id, 1000));
    holds!(tally, id != thread::current().id());
    same!(tally, thread::spawn(|| thread::current().name().map(str::len)).join().unwrap(), None);
    holds!(tally, thread::available_parallelism().is_ok());
    holds!(tally, !thread::panicking());
}

/// Uses some 100 bytes of stack a step.
#[inline(never)]
fn deep(steps: u32) -> u32 {
    let room = std::hint::black_box([steps; 16]);
    if steps == 0 { 0 } else { deep(room[3] - 1) + 1 }
}

fn scopes(tally: &mut Tally) {
    let words = ["a", "bc", "def"];
    let sum = AtomicU32::new(0);
    let longest = thread::scope(|scope| {
        for word in &words {
            let sum = &sum;
            scope.spawn(move || sum.fetch_add(word.len() as u32, SeqCst));
        }
        let inner = scope.spawn(|| scope.spawn(|| words.iter().map(|word| word.len()).max()).join().unwrap());
        let named = thread::Builder::new().name("scoped".to_owned());
        let named = named.spawn_scoped(scope, || thread::current().name().map(str::to_owned)).unwrap();
        same!(tally, named.join().unwrap(), Some("scoped".to_owned()));
        inner.join().unwrap()
    });
    same!(tally, (sum.load(SeqCst), longest), (6, Some(3)));
}

fn parking(tally: &mut Tally) {
    thread::current().unpark();
    thread::park();
    let turns = Arc::new(AtomicU32::new(0));
    let main = thread::current();
    let theirs = Arc::clone(&turns);
    let other = thread::spawn(move || {
        for turn in 0..100 {
            while theirs.load(SeqCst) != 2 * turn + 1 {
                thread::park();
            }
            theirs.store(2 * turn + 2, SeqCst);
            main.unpark();
        }
    });
    for turn in 0..100 {
        turns.store(2 * turn + 1, SeqCst);
        other.thread().unpark();
        while turns.load(SeqCst) != 2 * turn + 2 {
            thread::park();
        }
    }
    other.join().unwrap();
    same!(tally, turns.load(SeqCst), 200);
}

fn locals(tally: &mut Tally) {
    NUMBER.set(8);
    WORDS.with_borrow_mut(|words| words.push("second".to_owned()));
    let before = DROPPED.load(SeqCst);
    let theirs = thread::spawn(|| {
        COUNTED.with(|counted| NUMBER.set(NUMBER.get() + counted.0));
        (NUMBER.get(), WORDS.with_borrow(Vec::len), WORDS.take().len())
    });
    same!(tally, theirs.join().unwrap(), (107, 1, 1));
    same!(tally, DROPPED.load(SeqCst), before + 100);
    same!(tally, (NUMBER.replace(1), WORDS.with_borrow(Vec::len)), (8, 2));
    same!(tally, NUMBER.try_with(Cell::get), Ok(1));
}

fn times(tally: &mut Tally) {
    let begin = Instant::now();
    thread::sleep(Duration::from_millis(3));
    holds!(tally, begin.elapsed() >= Duration::from_millis(3));
    thread::park_timeout(Duration::from_millis(1));
    // Those who sleep at the same time wake in the order of their deadlines.
    let order = Arc::new(AtomicU32::new(0));
    let sleepers = [30, 10, 20].map(|milliseconds| {
        let order = Arc::clone(&order);
        thread::spawn(move || {
            thread::sleep(Duration::from_millis(milliseconds));
            order.fetch_add(1, SeqCst)
        })
    });
    same!(tally, sleepers.map(|sleeper| sleeper.join().unwrap()), [2, 0, 1]);
}

/// More threads at a time than are kept, again and again, so that they are made, kept, used again and freed.
fn many(tally: &mut Tally) {
    let sum = Arc::new(AtomicU32::new(0));
    for _ in 0..5 {
        let add = |number| {
            let sum = Arc::clone(&sum);
            let builder = thread::Builder::new().stack_size(20 << 10);
            if number % 2 == 0 { thread::Builder::new() } else { builder }
                .spawn(move || {
                    thread::yield_now();
                    sum.fetch_add(number, SeqCst)
                })
                .unwrap()
        };
        let all: Vec<_> = (0..80).map(add).collect();
        all.into_iter().for_each(|thread| _ = thread.join().unwrap());
    }
    same!(tally, sum.load(SeqCst), 5 * 79 * 40);
}
