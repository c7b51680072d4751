//! Threads are made, sleep, are woken, and end.

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst},
};

use kernel::task;
use kernel_tests::{KernelProgram, Program, TestSpace, on_the_machine, processor};
use sync::WaitQueue;

#[test]
fn a_thread_runs_and_is_joined() {
    on_the_machine(|| {
        let ran = Arc::new(AtomicBool::new(false));
        let told = Arc::clone(&ran);
        let thread = KernelProgram::start("runs", move || told.store(true, SeqCst));
        assert_eq!(thread.thread.name(), "runs");
        thread.join();
        assert_eq!(Arc::into_inner(ran).map(AtomicBool::into_inner), Some(true), "and what it captured is gone");
    });
}

#[test]
fn a_permit_that_comes_first_is_not_lost() {
    on_the_machine(|| {
        let woken = Arc::new(AtomicBool::new(false));
        let told = Arc::clone(&woken);
        let thread = KernelProgram::start("parks", move || {
            task::park();
            assert!(told.load(SeqCst), "it has slept until it was woken, or found its permit");
        });
        woken.store(true, SeqCst);
        thread.thread.wake();
        thread.join();
    });
}

#[test]
fn a_permit_is_taken_once() {
    on_the_machine(|| {
        let turns = Arc::new(AtomicUsize::new(0));
        let counts = Arc::clone(&turns);
        let thread = KernelProgram::start("parks twice", move || {
            for _ in 0..2 {
                task::park();
                counts.fetch_add(1, SeqCst);
            }
        });
        thread.thread.wake();
        while turns.load(SeqCst) < 1 {
            task::yield_now();
        }
        (0..100).for_each(|_| task::yield_now());
        assert!(turns.load(SeqCst) == 1 && !thread.thread.has_ended(), "one permit, one turn");
        thread.thread.wake();
        thread.join();
    });
}

#[test]
fn who_joins_sleeps_until_the_end() {
    on_the_machine(|| {
        static OPEN: AtomicBool = AtomicBool::new(false);
        static OPENED: WaitQueue = WaitQueue::new();
        let waits = KernelProgram::start("waits", || task::sleep_on(&OPENED, &mut || OPEN.load(SeqCst)));
        let opens = KernelProgram::start("opens", || {
            (0..10).for_each(|_| task::yield_now());
            OPEN.store(true, SeqCst);
            OPENED.wake_all();
        });
        waits.join();
        assert!(OPEN.load(SeqCst));
        opens.join();
    });
}

#[test]
fn a_thread_of_the_kernel_works_in_whatever_space_is_active() {
    on_the_machine(|| {
        const TURNS: usize = 50;
        let spaces = [TestSpace::new(), TestSpace::new()];
        let stop = Arc::new(AtomicBool::new(false));
        let (stopped, looks) = (Arc::clone(&stop), Arc::new(AtomicUsize::new(0)));
        let looked = Arc::clone(&looks);
        let kernel = KernelProgram::start("looks", move || {
            while !stopped.load(SeqCst) {
                let _ = processor::active_space();
                looked.fetch_add(1, SeqCst);
                task::yield_now();
            }
        });
        let programs = spaces.each_ref().map(|space| {
            let (number, looks) = (space.number, Arc::clone(&looks));
            Program::start(&space.space, move || {
                // Until the kernel's thread has run beside them, however late the host lets it begin.
                let mut turns = 0;
                while turns < TURNS || looks.load(SeqCst) < 2 {
                    assert_eq!(processor::active_space(), number, "a program finds its own space");
                    task::yield_now();
                    turns += 1;
                }
            })
        });
        programs.into_iter().for_each(Program::join);
        stop.store(true, SeqCst);
        kernel.join();
    });
}

#[test]
fn threads_that_end_leave_nothing_behind() {
    on_the_machine(|| {
        let space = TestSpace::new();
        let owners = Arc::strong_count(&space.space);
        for _ in 0..40 {
            (0..3)
                .map(|_| Program::start(&space.space, task::yield_now))
                .collect::<Vec<_>>()
                .into_iter()
                .for_each(Program::join);
        }
        while Arc::strong_count(&space.space) > owners {
            task::yield_now();
        }
    });
}
