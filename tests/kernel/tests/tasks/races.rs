//! Wake-ups that meet a thread on its way to sleep, on another processor.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering::SeqCst},
};

use kernel::task::{self, Thread};
use kernel_tests::{KernelProgram, Program, TestSpace, on_the_machine};
use sync::{Mutex, WaitQueue};

/// Two threads hand a turn to each other by bare permits: each wake-up meets the other one somewhere on its way to
/// sleep.
#[test]
fn no_permit_is_lost_between_two_processors() {
    on_the_machine(|| {
        const TURNS: usize = 20_000;
        static TURN: AtomicUsize = AtomicUsize::new(0);
        static PLAYERS: Mutex<[Option<Arc<Thread>>; 2]> = Mutex::new([None, None]);
        TURN.store(0, SeqCst);
        let space = TestSpace::new();
        let players = [0, 1].map(|own| {
            Program::start(&space.space, move || {
                for turn in (own..TURNS).step_by(2) {
                    while TURN.load(SeqCst) != turn {
                        task::park();
                    }
                    TURN.store(turn + 1, SeqCst);
                    let other = PLAYERS.lock()[1 - own].clone();
                    other.iter().for_each(|other| task::unpark(other));
                }
            })
        });
        *PLAYERS.lock() = players.each_ref().map(|player| Some(player.thread.clone()));
        // Who began before the other was known may have told nobody.
        players.iter().for_each(|player| task::unpark(&player.thread));
        players.into_iter().for_each(Program::join);
        *PLAYERS.lock() = [None, None];
        assert_eq!(TURN.load(SeqCst), TURNS);
    });
}

#[test]
fn nothing_that_was_put_in_is_left_in_a_queue() {
    on_the_machine(|| {
        const EACH: usize = 5_000;
        static STORE: AtomicUsize = AtomicUsize::new(0);
        static FILLED: WaitQueue = WaitQueue::new();
        let take = || STORE.fetch_update(SeqCst, SeqCst, |count| count.checked_sub(1)).is_ok();
        let consumers = [(); 3].map(|()| {
            KernelProgram::start("takes", move || (0..EACH).for_each(|_| task::sleep_on(&FILLED, &mut || take())))
        });
        let producers = [(); 3].map(|()| {
            KernelProgram::start("puts", || {
                for turn in 0..EACH {
                    STORE.fetch_add(1, SeqCst);
                    FILLED.wake_one();
                    if turn % 16 == 0 {
                        task::yield_now();
                    }
                }
            })
        });
        producers.into_iter().for_each(KernelProgram::join);
        // Each put woke one, who may have found that another one took it first and slept again.
        FILLED.wake_all();
        consumers.into_iter().for_each(KernelProgram::join);
        assert_eq!(STORE.load(SeqCst), 0);
    });
}
