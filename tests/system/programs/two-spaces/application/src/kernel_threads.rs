//! Threads of the kernel beside those of programs: they sleep, are woken, and are joined.

use alloc::sync::Arc;
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};

use kernel::task::{self, KernelThread, sleep_on};
use sync::WaitQueue;

use crate::check;

/// How long a thread sleeps by the clock, in nanoseconds.
const NAP: u64 = 1_000_000;

/// Calls that programs have made, and those who wait for the next one.
static CALLS: AtomicUsize = AtomicUsize::new(0);
static CALLED: WaitQueue = WaitQueue::new();

/// A program has made a call.
pub fn called() {
    CALLS.fetch_add(1, SeqCst);
    CALLED.wake_all();
}

/// All of it: `programs` runs programs.
pub fn run(programs: impl FnOnce()) {
    one_counts_beside(programs);
    one_sleeps_and_is_woken();
    one_is_joined_while_it_waits();
}

fn spawn(name: &'static str, body: impl FnOnce() + Send + 'static) -> KernelThread {
    match KernelThread::spawn(name, body) {
        Ok(thread) => thread,
        Err(_) => crate::fail("a thread of the kernel is made"),
    }
}

/// One that looks whenever a program has made a call runs in turns with threads of all spaces, which notice nothing.
fn one_counts_beside(programs: impl FnOnce()) {
    static SEEN: AtomicUsize = AtomicUsize::new(0);
    static TURNS: AtomicUsize = AtomicUsize::new(0);
    static STOP: AtomicBool = AtomicBool::new(false);
    STOP.store(false, SeqCst);
    let (calls, turns) = (CALLS.load(SeqCst), TURNS.load(SeqCst));
    SEEN.store(calls, SeqCst);
    let counter = spawn("counter", || {
        while !STOP.load(SeqCst) {
            let seen = SEEN.load(SeqCst);
            sleep_on(&CALLED, &mut || CALLS.load(SeqCst) > seen || STOP.load(SeqCst));
            SEEN.store(CALLS.load(SeqCst), SeqCst);
            TURNS.fetch_add(1, SeqCst);
        }
    });
    check(counter.name() == "counter" && !counter.has_ended(), "it waits for a call");
    programs();
    check(CALLS.load(SeqCst) > calls, "programs have run");
    while SEEN.load(SeqCst) < CALLS.load(SeqCst) {
        task::yield_now();
    }
    check(TURNS.load(SeqCst) > turns && !counter.has_ended(), "it has seen the calls");
    STOP.store(true, SeqCst);
    CALLED.wake_all();
    counter.join();
}

fn one_sleeps_and_is_woken() {
    static SLEPT: AtomicBool = AtomicBool::new(false);
    static WOKE: WaitQueue = WaitQueue::new();
    static GO: AtomicBool = AtomicBool::new(false);
    SLEPT.store(false, SeqCst);
    GO.store(false, SeqCst);
    let captured = Arc::new(());
    let kept = Arc::clone(&captured);
    let sleeper = spawn("sleeper", move || {
        let end = contracts::clock::monotonic() + NAP;
        while task::sleep_once(end) {}
        check(contracts::clock::monotonic() >= end, "it has slept to the end");
        SLEPT.store(true, SeqCst);
        WOKE.wake_all();
        while !GO.load(SeqCst) {
            task::park();
        }
        drop(kept);
    });
    // Nobody is ready meanwhile: the processor idles, so that the alarm is heard.
    sleep_on(&WOKE, &mut || SLEPT.load(SeqCst));
    check(!sleeper.has_ended() && Arc::strong_count(&captured) == 2, "it waits to be woken");
    GO.store(true, SeqCst);
    sleeper.wake();
    sleeper.join();
    check(Arc::into_inner(captured).is_some(), "what it captured is gone");
}

fn one_is_joined_while_it_waits() {
    static OPEN: AtomicBool = AtomicBool::new(false);
    static OPENED: WaitQueue = WaitQueue::new();
    OPEN.store(false, SeqCst);
    let waits = spawn("waits", || sleep_on(&OPENED, &mut || OPEN.load(SeqCst)));
    let opens = spawn("opens", || {
        (0..10).for_each(|_| task::yield_now());
        OPEN.store(true, SeqCst);
        OPENED.wake_all();
    });
    waits.join();
    check(OPEN.load(SeqCst), "who joins it comes back when it has ended");
    opens.join();
}
