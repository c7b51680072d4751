//! futex(2): waiting, waking, requeueing, owners.

use super::{machine::on_linux, names::*, program::*};

#[test]
fn errors_of_futex() {
    on_linux(|| {
        let word = room(8);
        expect! {
            futex(word, FUTEX_WAIT, 1, 0, 0, 0) => EAGAIN;
            futex(word + 1, FUTEX_WAIT, 0, 0, 0, 0) => EINVAL;
            futex(word + 2, FUTEX_WAKE, 1, 0, 0, 0) => EINVAL;
            futex(BAD, FUTEX_WAIT, 0, 0, 0, 0) => EFAULT;
            futex(word, FUTEX_WAIT, 0, &[0_u64, 1_000_000_000], 0, 0) => EINVAL;
            futex(word, FUTEX_WAIT, 0, &[0_u64, 1000], 0, 0) => ETIMEDOUT;
            futex(word, FUTEX_WAIT, 0, BAD, 0, 0) => EFAULT;
            futex(word, FUTEX_WAIT_BITSET, 0, 0, 0, 0) => EINVAL;
            futex(word, FUTEX_WAKE_BITSET, 1, 0, 0, 0) => EINVAL;
            futex(word, FUTEX_WAKE, 1, 0, 0, 0) => 0;
            futex(word, 99, 1, 0, 0, 0) => ENOSYS;
            futex(word, FUTEX_CMP_REQUEUE, 1, 1, word + 4, 7) => EAGAIN;
            futex(word, FUTEX_UNLOCK_PI, 0, 0, 0, 0) => EPERM;
        }
    });
}

fn waits(word: usize) -> Thread {
    Thread::waiting(move || {
        expect! { futex(word, FUTEX_WAIT, 0, 0, 0, 0) => 0; }
    })
}

#[test]
fn as_many_wake_as_are_asked_for_and_the_first_first() {
    on_linux(|| {
        let word = room(4);
        let threads = [(); 3].map(|()| waits(word));
        assert!(threads.iter().all(|thread| !thread.has_ended()));
        expect! { futex(word, FUTEX_WAKE, 1, 0, 0, 0) => 1; }
        give_way();
        assert_eq!(threads.each_ref().map(Thread::has_ended), [true, false, false]);
        expect! { futex(word, FUTEX_WAKE, 9, 0, 0, 0) => 2; }
        threads.into_iter().for_each(Thread::join);
    });
}

#[test]
fn private_and_shared_words_are_apart() {
    on_linux(|| {
        let word = room(4);
        let thread = Thread::waiting(move || {
            expect! { futex(word, FUTEX_WAIT | FUTEX_PRIVATE_FLAG, 0, 0, 0, 0) => 0; }
        });
        expect! { futex(word + 64, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, 9, 0, 0, 0) => 0; }
        expect! { futex(word, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, 9, 0, 0, 0) => 1; }
        thread.join();
    });
}

#[test]
fn who_is_moved_wakes_at_the_other_word() {
    on_linux(|| {
        let first = room(64);
        let second = room(64);
        let threads = [(); 3].map(|()| waits(first));
        // One wakes, one is moved, one stays.
        expect! { futex(first, FUTEX_CMP_REQUEUE, 1, 1, second, 0) => 2; }
        give_way();
        assert_eq!(threads.each_ref().map(Thread::has_ended), [true, false, false]);
        expect! {
            futex(second, FUTEX_WAKE, 9, 0, 0, 0) => 1;
            futex(second, FUTEX_WAKE, 9, 0, 0, 0) => 0;
            futex(first, FUTEX_WAKE, 9, 0, 0, 0) => 1;
        }
        threads.into_iter().for_each(Thread::join);
    });
}

#[test]
fn bits_choose_who_wakes() {
    on_linux(|| {
        let word = room(4);
        let with = |bits: usize| {
            Thread::waiting(move || {
                expect! { futex(word, FUTEX_WAIT_BITSET, 0, 0, 0, bits) => 0; }
            })
        };
        let threads = [with(1), with(2), with(3)];
        expect! { futex(word, FUTEX_WAKE_BITSET, 9, 0, 0, 2) => 2; }
        give_way();
        assert_eq!(threads.each_ref().map(Thread::has_ended), [false, true, true]);
        expect! { futex(word, FUTEX_WAKE, 9, 0, 0, 0) => 1; }
        threads.into_iter().for_each(Thread::join);
    });
}

#[test]
fn a_deadline_ends_a_wait() {
    on_linux(|| {
        let word = room(4);
        let now = room(16);
        expect! {
            clock_gettime(CLOCK_MONOTONIC, now) => 0;
            futex(word, FUTEX_WAIT, 0, &[2_u64, 500], 0, 0) => ETIMEDOUT;
        }
        let begin = super::program::word(now);
        expect! {
            clock_gettime(CLOCK_MONOTONIC, now) => 0;
            // Absolute: long past.
            futex(word, FUTEX_WAIT_BITSET, 0, &[0_u64, 1], 0, 1) => ETIMEDOUT;
            futex(word, FUTEX_WAKE, 1, 0, 0, 0) => 0;
        }
        assert!((begin + 2..=begin + 3).contains(&super::program::word(now)), "relative to the call");
    });
}

/// FUTEX_WAKE_OP: adds to the second word, and wakes there if it was greater.
#[test]
fn a_word_is_changed_and_two_are_woken() {
    on_linux(|| {
        const ADD_ONE_IF_ABOVE_ZERO: usize = 1 << 28 | 4 << 24 | 1 << 12;
        let first = room(64);
        let second = room(64);
        let waits = [waits(first), waits(second)];
        expect! { futex(first, FUTEX_WAKE_OP, 1, 1, second, ADD_ONE_IF_ABOVE_ZERO) => 1; }
        assert_eq!(half(second), 1);
        expect! { futex(first, FUTEX_WAKE_OP, 1, 1, second, ADD_ONE_IF_ABOVE_ZERO) => 1; }
        assert_eq!(half(second), 2);
        waits.into_iter().for_each(Thread::join);
    });
}

#[test]
fn a_lock_has_an_owner() {
    on_linux(|| {
        let word = room(4);
        let own = must!(gettid()) as u32;
        expect! {
            futex(word, FUTEX_LOCK_PI, 0, 0, 0, 0) => 0;
            futex(word, FUTEX_LOCK_PI, 0, 0, 0, 0) => EDEADLK;
        }
        assert_eq!(half(word), own);
        let waits = Thread::waiting(move || {
            expect! {
                futex(word, FUTEX_TRYLOCK_PI, 0, 0, 0, 0) => EAGAIN;
                futex(word, FUTEX_UNLOCK_PI, 0, 0, 0, 0) => EPERM;
                futex(word, FUTEX_LOCK_PI, 0, 0, 0, 0) => 0;
                futex(word, FUTEX_UNLOCK_PI, 0, 0, 0, 0) => 0;
            }
        });
        assert_eq!(half(word), own | 0x8000_0000, "somebody waits");
        expect! { futex(word, FUTEX_UNLOCK_PI, 0, 0, 0, 0) => 0; }
        waits.join();
        assert_eq!(half(word), 0);
    });
}

/// get_robust_list(2): a lock whose owner ends is told to who waits.
#[test]
fn a_robust_lock_survives_its_owner() {
    on_linux(|| {
        // A list of one lock: the head points at it, it points back; the word lies 16 bytes behind the link.
        let lock = room(64);
        let head = put(&[lock, 16, 0].map(usize::to_le_bytes).concat());
        store(lock, &head.to_le_bytes());
        let word = lock + 16;
        let owner = Thread::start(move || {
            expect! {
                set_robust_list(head, 23) => EINVAL;
                set_robust_list(head, 24) => 0;
            }
            set_half(word, must!(gettid()) as u32);
            give_way();
        });
        let held = half(word);
        give_way();
        owner.join();
        let _ = held;
        assert_eq!(half(word), 0x4000_0000, "its owner died");
    });
}
