//! Locks as programs see them, and against a model.

extern crate std;

use std::{
    collections::BTreeMap,
    pin::pin,
    sync::Arc,
    task::{Wake, Waker},
    vec::Vec,
};

use sync::{Stay, Waiter};

use super::*;

/// Counts how often somebody was woken.
struct Woken(AtomicUsize);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

fn held(kind: Kind, holder: usize, write: bool, start: u64, last: u64) -> Held {
    Held { file: (1, 1), kind, holder, write, start, last }
}

#[test]
fn readers_share_and_a_writer_does_not() {
    let locks = Locks::new();
    assert_eq!(locks.lock(held(Kind::Range, 1, false, 0, 9), false), Ok(()));
    assert_eq!(locks.lock(held(Kind::Range, 2, false, 5, 9), false), Ok(()));
    assert_eq!(locks.lock(held(Kind::Process, 3, true, 9, 9), false), Err(Refused::Busy));
    assert_eq!(locks.conflict(&held(Kind::Process, 3, true, 4, 4)).map(|held| held.holder), Some(1));
    assert_eq!(locks.lock(held(Kind::Whole, 3, true, 0, u64::MAX), false), Ok(()));
    assert_eq!(locks.lock(Held { file: (1, 2), ..held(Kind::Process, 3, true, 0, 9) }, false), Ok(()));
    locks.release(1, None);
    locks.release(2, Some((1, 2)));
    assert_eq!(locks.lock(held(Kind::Process, 3, true, 9, 9), false), Err(Refused::Busy));
    locks.release(2, Some((1, 1)));
    assert_eq!(locks.lock(held(Kind::Process, 3, true, 9, 9), false), Ok(()));
    locks.release(3, None);
    assert!(locks.is_empty());
}

#[test]
fn who_waits_is_woken_when_somebody_can_go_on() {
    let locks = Locks::new();
    let count = Arc::new(Woken(AtomicUsize::new(0)));
    let waiter = pin!(Waiter::new(locks.changed(), Waker::from(Arc::clone(&count)), Stay::Always));
    waiter.as_ref().enter();
    let woken = || count.0.swap(0, Ordering::SeqCst);
    let lock = |write, start, last| locks.lock(held(Kind::Range, 1, write, start, last), false).unwrap();
    lock(true, 0, 9);
    lock(false, 20, 29);
    lock(true, 5, 19);
    lock(true, 20, 24);
    assert_eq!(woken(), 0, "nobody could go on");
    lock(false, 9, 9);
    assert_eq!(woken(), 1, "readers may have 9");
    locks.unlock(&held(Kind::Range, 1, false, 0, 3));
    locks.release(1, None);
    assert_eq!(woken(), 2);
}

#[test]
fn waiting_for_each_other_is_told() {
    let locks = Locks::new();
    for holder in 1..=3 {
        locks.lock(held(Kind::Process, holder, true, holder as u64, holder as u64), false).unwrap();
    }
    assert_eq!(locks.lock(held(Kind::Process, 1, true, 2, 2), true), Err(Refused::Busy));
    assert_eq!(locks.lock(held(Kind::Process, 2, true, 3, 3), true), Err(Refused::Busy));
    assert_eq!(locks.lock(held(Kind::Process, 3, true, 1, 1), true), Err(Refused::Deadlock));
    locks.give_up(2);
    assert_eq!(locks.lock(held(Kind::Process, 3, true, 1, 1), true), Err(Refused::Busy));
}

#[test]
fn ranges_are_split_and_replaced_as_byte_by_byte() {
    let locks = Locks::new();
    let mut model: BTreeMap<(u64, usize), bool> = BTreeMap::new();
    let mut state = 7_u32;
    let mut next = |most: u64| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        u64::from(state >> 8) % most
    };
    let mut in_trees = [0; 2];
    for _ in 0..5000 {
        let (start, holder, what) = (next(36), next(3) as usize, next(3));
        let wanted = held(Kind::Range, holder, what == 1, start, start + next(8));
        let bytes = wanted.start..=wanted.last;
        if what == 2 {
            locks.unlock(&wanted);
            for byte in bytes {
                model.remove(&(byte, holder));
            }
            continue;
        }
        let busy = model
            .iter()
            .any(|(&(byte, other), &write)| bytes.contains(&byte) && other != holder && (write || wanted.write));
        assert_eq!(locks.lock(wanted, false), if busy { Err(Refused::Busy) } else { Ok(()) });
        if !busy {
            model.extend(bytes.map(|byte| ((byte, holder), wanted.write)));
        }
        let state = locks.state.lock();
        let count: u64 = state.kept.all().iter().map(|held| held.last - held.start + 1).sum();
        assert_eq!(count, model.len() as u64);
        assert_eq!(state.kept.has_no_file(), model.is_empty());
        in_trees[usize::from(state.kept.depth().is_some())] += 1;
    }
    assert!(in_trees.iter().all(|&times| times > 500), "in a list and in trees: {in_trees:?}");
    let holders: Vec<usize> = (0..3).collect();
    holders.into_iter().for_each(|holder| locks.release(holder, None));
    assert!(locks.is_empty());
}

/// Steps that `work` takes.
fn steps(work: impl FnOnce()) -> usize {
    let before = steps::taken();
    work();
    steps::taken() - before
}

const MANY: u64 = if cfg!(miri) { 50 } else { 20_000 };

/// No more than some for each of [`MANY`] times the tree's depth.
#[track_caller]
fn check_steps(steps: usize) {
    let most = 8 * MANY as usize * (MANY.ilog2() as usize + 1);
    assert!(steps <= most, "{steps} steps, more than {most}");
}

/// The locks of a process, each apart from the others; then asked for, changed, and given back.
#[test]
fn thousands_of_ranges_take_little_more_than_their_number() {
    let locks = Locks::new();
    // In no order.
    let at = |index: u64| 10 * (index * 7919 % MANY);
    let one = |write, index| held(Kind::Process, 1, write, at(index), at(index) + 4);
    check_steps(steps(|| (0..MANY).for_each(|index| locks.lock(one(true, index), false).unwrap())));
    let depth = locks.state.lock().kept.depth();
    assert!(depth.unwrap() <= 2 * MANY.ilog2(), "{depth:?} deep");
    // Another one asks, and so does the one whose they all are.
    let other = |index, start| held(Kind::Range, 2, false, at(index) + start, at(index) + 9);
    check_steps(steps(|| {
        for index in 0..MANY {
            assert_eq!(locks.conflict(&other(index, 4)).map(|held| held.start), Some(at(index)));
            assert_eq!(locks.conflict(&other(index, 5)), None);
        }
    }));
    check_steps(steps(|| {
        for _ in 0..MANY {
            assert_eq!(locks.conflict(&held(Kind::Process, 1, true, 0, u64::MAX)), None);
        }
    }));
    check_steps(steps(|| (0..MANY).for_each(|index| locks.lock(one(false, index), false).unwrap())));
    assert_eq!(locks.count.load(Ordering::Relaxed), MANY as usize);
    check_steps(steps(|| (0..MANY / 2).for_each(|index| locks.unlock(&one(true, index)))));
    check_steps(steps(|| locks.release(1, Some((1, 1)))));
    assert!(locks.is_empty());
}

/// Open files that share a range, one of them with a range that another one wants to write.
#[test]
fn thousands_of_holders_take_little_more_than_their_number() {
    let locks = Locks::new();
    let each = 1..=MANY as usize;
    for kind in [Kind::Whole, Kind::Range] {
        let reader = |holder| held(kind, holder, false, 0, u64::MAX);
        check_steps(steps(|| each.clone().for_each(|holder| locks.lock(reader(holder), false).unwrap())));
        check_steps(steps(|| {
            for holder in each.clone() {
                assert_eq!(locks.lock(held(kind, holder, true, 0, u64::MAX), false), Err(Refused::Busy));
            }
        }));
    }
    check_steps(steps(|| each.clone().for_each(|holder| locks.release(holder, None))));
    assert!(locks.is_empty());
    // A lock each, of which none meets another.
    let one = |holder| held(Kind::Range, holder, true, 2 * holder as u64, 2 * holder as u64);
    check_steps(steps(|| each.clone().for_each(|holder| locks.lock(one(holder), false).unwrap())));
    check_steps(steps(|| each.clone().for_each(|holder| locks.lock(one(holder), false).unwrap())));
    check_steps(steps(|| each.for_each(|holder| locks.release(holder, Some((1, 1))))));
}

#[test]
fn neighbours_become_one() {
    let locks = Locks::new();
    for start in [0, 2, 1, 4, 3] {
        locks.lock(held(Kind::Process, 1, true, start, start), false).unwrap();
    }
    let found = locks.conflict(&held(Kind::Range, 2, true, 3, 3)).unwrap();
    assert_eq!((found.start, found.last), (0, 4));
    locks.lock(held(Kind::Process, 1, false, 2, 2), false).unwrap();
    assert_eq!(locks.count.load(Ordering::Relaxed), 3);
    locks.lock(held(Kind::Process, 1, true, 5, u64::MAX), false).unwrap();
    let found = locks.conflict(&held(Kind::Range, 2, true, 9, 9)).unwrap();
    assert_eq!((found.start, found.last), (3, u64::MAX));
}
