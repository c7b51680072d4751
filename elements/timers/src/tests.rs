//! The queue against a sorted list.

use std::boxed::Box;
use std::vec::Vec;

use super::{Queue, Timer, TimerRef};

fn timers(count: usize) -> Vec<TimerRef> {
    (0..count).map(|_| TimerRef::fixed(Box::leak(Box::new(Timer::new())))).collect()
}

#[test]
fn random_operations_agree_with_a_sorted_list() {
    let mut state = 1_u64;
    let mut random = move |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) as usize % below
    };
    let (queue, all) = (Queue::new(), timers(64));
    // Deadline, number of the insertion, index.
    let mut model: Vec<(u64, usize, usize)> = Vec::new();
    for step in 0..if cfg!(miri) { 400 } else { 20_000 } {
        let index = random(all.len());
        match random(5) {
            0..3 => {
                let deadline = random(100) as u64;
                model.retain(|entry| entry.2 != index);
                model.push((deadline, step, index));
                model.sort_unstable();
                assert_eq!(queue.insert(all[index], deadline), model[0].2 == index);
            }
            3 => {
                let before = model.len();
                model.retain(|entry| entry.2 != index);
                assert_eq!(queue.remove(all[index]), model.len() < before);
            }
            _ => {
                let now = random(100) as u64;
                let expected = model.first().filter(|entry| entry.0 <= now).map(|entry| entry.2);
                let popped = queue.pop_expired(now);
                assert_eq!(popped, expected.map(|index| all[index]));
                model.retain(|entry| Some(entry.2) != expected);
            }
        }
        assert_eq!(queue.earliest(), model.first().map(|entry| entry.0));
        let deadline = model.iter().find(|entry| entry.2 == index).map(|entry| entry.0);
        assert_eq!(all[index].deadline(), deadline);
    }
    while let Some(timer) = queue.pop_expired(u64::MAX) {
        assert_eq!(timer, all[model.remove(0).2]);
    }
    assert!(model.is_empty());
}

std::thread_local! {
    static STEPS: core::cell::Cell<usize> = const { core::cell::Cell::new(0) };
}

/// Two deadlines were compared.
pub fn count_step() {
    STEPS.set(STEPS.get() + 1);
}

#[test]
fn thousands_take_comparisons_by_their_number_and_its_logarithm() {
    const MANY: usize = if cfg!(miri) { 50 } else { 20_000 };
    let (queue, all) = (Queue::new(), timers(MANY));
    let deadlines: [fn(usize) -> u64; 3] =
        [|number| number as u64, |number| (MANY - number) as u64, |number| (number * 7919 % MANY) as u64];
    for deadline in deadlines {
        STEPS.set(0);
        for (number, timer) in all.iter().enumerate() {
            queue.insert(*timer, deadline(number));
            queue.insert(*timer, deadline(number) + 1);
        }
        assert!((0..MANY).all(|_| queue.pop_expired(u64::MAX).is_some()));
        // A treap is some 2 ln n deep.
        let most = 2 * MANY * 3 * (MANY.ilog2() as usize + 1);
        assert!(STEPS.get() <= most, "{} comparisons, more than {most}", STEPS.get());
    }
}
