//! Waiting for a condition, a deadline or an interruption.

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst},
};

use kernel::task::{self, Waited};
use kernel_tests::{KernelProgram, Program, TestSpace, on_the_machine};
use sync::WaitQueue;

fn now() -> u64 {
    contracts::clock::monotonic()
}

#[test]
fn a_deadline_ends_a_wait_and_not_before() {
    on_the_machine(|| {
        static NEVER: WaitQueue = WaitQueue::new();
        let end = now() + 1_000_000;
        assert_eq!(task::wait_until(Some(&NEVER), Some(end), &mut || false), Waited::TimedOut);
        assert_eq!(now(), end, "time passes only while everybody sleeps, up to the next alarm");
        assert_eq!(task::wait_until(Some(&NEVER), Some(end), &mut || true), Waited::Ready(()), "it asks at least once");
        assert!(!task::sleep_once(end));
        assert!(NEVER.is_empty());
    });
}

#[test]
fn a_condition_ends_a_wait_before_its_deadline() {
    on_the_machine(|| {
        static OPEN: AtomicBool = AtomicBool::new(false);
        static OPENED: WaitQueue = WaitQueue::new();
        let (begin, far) = (now(), now() + 1_000_000_000);
        let opens = KernelProgram::start("opens", || {
            let soon = now() + 1000;
            while task::sleep_once(soon) {}
            OPEN.store(true, SeqCst);
            OPENED.wake_all();
        });
        assert_eq!(task::wait_until(Some(&OPENED), Some(far), &mut || OPEN.load(SeqCst)), Waited::Ready(()));
        assert!((begin + 1000..far).contains(&now()), "{}", now());
        opens.join();
        let later = now() + 10;
        while task::sleep_once(later) {}
        assert_eq!(now(), later, "the deadline that was not needed rings no more");
    });
}

#[test]
fn an_interruption_ends_a_wait() {
    on_the_machine(|| {
        static NEVER: WaitQueue = WaitQueue::new();
        let space = TestSpace::new();
        let program = Program::start(&space.space, || {
            assert_eq!(task::wait_until(Some(&NEVER), None, &mut || false), Waited::Interrupted);
            task::current().set_interrupted(false);
        });
        while !task::sleeps(&program.thread) {
            task::yield_now();
        }
        task::interrupt(&program.thread);
        program.join();
        assert!(NEVER.is_empty());
    });
}

#[test]
fn a_queue_wakes_as_many_as_it_is_told() {
    on_the_machine(|| {
        const WAITING: usize = 5;
        static TURNS: AtomicUsize = AtomicUsize::new(0);
        static TICKETS: AtomicUsize = AtomicUsize::new(0);
        static QUEUE: WaitQueue = WaitQueue::new();
        let take = || TICKETS.fetch_update(SeqCst, SeqCst, |tickets| tickets.checked_sub(1)).is_ok();
        let threads = [(); WAITING].map(|()| {
            KernelProgram::start("takes", move || {
                task::sleep_on(&QUEUE, &mut || take());
                TURNS.fetch_add(1, SeqCst);
            })
        });
        for turn in 1..=WAITING {
            TICKETS.fetch_add(1, SeqCst);
            QUEUE.wake_one();
            while TURNS.load(SeqCst) < turn {
                // Who came too late to be woken finds the ticket before it sleeps.
                QUEUE.wake_one();
                task::yield_now();
            }
            (0..20).for_each(|_| task::yield_now());
            assert_eq!(TURNS.load(SeqCst), turn, "a ticket lets one go");
        }
        threads.into_iter().for_each(KernelProgram::join);
    });
}

#[test]
fn a_thread_that_is_woken_by_several_wakes_once() {
    on_the_machine(|| {
        let turns = Arc::new(AtomicUsize::new(0));
        let counts = Arc::clone(&turns);
        let sleeper = KernelProgram::start("sleeper", move || {
            loop {
                task::park();
                if counts.fetch_add(1, SeqCst) == 1 {
                    return;
                }
            }
        });
        (0..50).for_each(|_| task::yield_now());
        // Before it can run, all of these are one permit on one processor, and at most two on more.
        (0..5).for_each(|_| sleeper.thread.wake());
        while turns.load(SeqCst) == 0 {
            task::yield_now();
        }
        sleeper.thread.wake();
        sleeper.join();
        assert_eq!(turns.load(SeqCst), 2);
    });
}

/// What a network does: it wakes who waits for what has come, and its alarm is for what it has to do by itself.
#[test]
fn what_comes_from_outside_is_looked_for_on_the_way_to_idling() {
    static PACKETS: AtomicUsize = AtomicUsize::new(0);
    static LOOKS: AtomicUsize = AtomicUsize::new(0);
    static CAME: AtomicBool = AtomicBool::new(false);
    static TOLD: AtomicBool = AtomicBool::new(false);
    static WAITING: WaitQueue = WaitQueue::new();
    on_the_machine(|| {
        let look = || {
            LOOKS.fetch_add(1, SeqCst);
            let left = PACKETS.fetch_update(SeqCst, SeqCst, |left| left.checked_sub(1));
            if left == Ok(1) {
                CAME.store(true, SeqCst);
                WAITING.wake_all();
            }
            left.is_ok()
        };
        task::look_by(look, || TOLD.load(SeqCst));
        let begin = now();
        for _ in 0..3 {
            PACKETS.store(1, SeqCst);
            let waited = task::wait_until(Some(&WAITING), Some(begin + 1), &mut || CAME.swap(false, SeqCst));
            assert_eq!((waited, now()), (Waited::Ready(()), begin), "no time passes: nobody idles");
        }
        assert_eq!(LOOKS.load(SeqCst), 3);
        let waited = task::wait_until(Some(&WAITING), Some(begin + 1), &mut || CAME.load(SeqCst));
        assert_eq!(waited, Waited::TimedOut);
        // Before it idles and behind each interruption, of which there may be one without a reason.
        let looks = LOOKS.load(SeqCst) - 3;
        assert!((2..=4).contains(&looks), "{looks}");
        // So it is for who only asks, and never idles.
        PACKETS.store(1, SeqCst);
        let asked = task::wait_until(Some(&WAITING), Some(0), &mut || CAME.swap(false, SeqCst));
        assert_eq!(asked, Waited::Ready(()));
        // Where an interruption would tell of it, it is left to that.
        TOLD.store(true, SeqCst);
        PACKETS.store(1, SeqCst);
        let begin = now();
        let waited = task::wait_until(Some(&WAITING), Some(begin + 1), &mut || CAME.swap(false, SeqCst));
        assert_eq!((waited, now()), (Waited::Ready(()), begin + 1));
        // Not all is taken in at a time, and no interruption tells of what is left: all of it is, before anybody idles.
        TOLD.store(false, SeqCst);
        PACKETS.store(10, SeqCst);
        let begin = now();
        let waited = task::wait_until(Some(&WAITING), Some(begin + 1), &mut || CAME.swap(false, SeqCst));
        assert_eq!((waited, now()), (Waited::Ready(()), begin));
    });
}
