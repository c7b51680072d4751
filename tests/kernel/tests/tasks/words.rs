//! Programs that wait for words of their memory (futex(2)): a lock in a page that two spaces show at different
//! addresses.

use std::sync::Arc;

use contracts::user_memory::{compare_exchange, read_half, read_word, write_half, write_word};
use kernel::task::{self, Thread};
use kernel_tests::{
    Program, TestFile, TestSpace, on_the_machine,
    space::{WRITE, shows},
};
use machine::PAGE_SIZE;
use sync::words::Words;

const KINDS: u64 = u64::MAX;

static WORDS: Words<Arc<Thread>> = Words::new();

/// FUTEX_WAIT.
fn wait(address: usize, expected: u32) {
    let holds = || if read_half(address) == Ok(expected) { Ok(()) } else { Err(()) };
    let Ok(place) = WORDS.wait(task::word(address), KINDS, 0, task::current().handle(), holds) else { return };
    let _ = task::sleep_until(None, &mut || place.is_woken());
}

/// FUTEX_WAKE of one.
fn wake(address: usize) {
    WORDS.wake(task::word(address), 1, KINDS, |thread| task::unpark(thread));
}

/// A lock of three states: free, taken, taken and waited for (Drepper 2011, "Futexes Are Tricky").
fn lock(address: usize) {
    let exchange = |expected, new| compare_exchange(address, expected, new).expect("the page is mapped");
    let mut found = exchange(0, 1);
    while found != 0 {
        if found == 2 || exchange(1, 2) != 0 {
            wait(address, 2);
        }
        found = exchange(0, 2);
    }
}

fn unlock(address: usize) {
    if compare_exchange(address, 1, 0) != Ok(1) {
        write_half(address, 0).expect("the page is mapped");
        wake(address);
    }
}

#[test]
fn a_lock_in_a_shared_page_holds_for_programs_of_two_spaces() {
    on_the_machine(|| {
        const TURNS: u64 = 200;
        const PROGRAMS: u64 = 6;
        let (file, reference) = TestFile::new(&[0]).referenced();
        let shown = [0x10_0000, 0x20_0000];
        let spaces = shown.map(|at| {
            let space = TestSpace::new();
            space.expect_shared_words();
            assert_eq!(space.map(&shows(&reference, 0, at..at + PAGE_SIZE, WRITE, true)), Ok(at));
            space
        });
        let programs: Vec<_> = (0..PROGRAMS as usize)
            .map(|number| {
                let at = shown[number % 2];
                Program::start(&spaces[number % 2].space, move || {
                    for _ in 0..TURNS {
                        lock(at + 8);
                        let count = read_word(at).expect("the page is mapped");
                        // The others run into the lock.
                        task::yield_now();
                        write_word(at, count + 1).expect("the page is mapped");
                        unlock(at + 8);
                    }
                })
            })
            .collect();
        programs.into_iter().for_each(Program::join);
        assert_eq!(file.word(0), TURNS * PROGRAMS);
    });
}
