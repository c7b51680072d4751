//! Locks as programs see them, and against a model.

extern crate std;

use std::{collections::BTreeMap, vec::Vec};

use super::*;

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
    for _ in 0..5000 {
        let (start, holder, what) = (next(24), next(3) as usize, next(3));
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
        let count: u64 = locks.state.lock().held.iter().map(|held| held.last - held.start + 1).sum();
        assert_eq!(count, model.len() as u64);
    }
    let holders: Vec<usize> = (0..3).collect();
    holders.into_iter().for_each(|holder| locks.release(holder, None));
    assert!(locks.is_empty());
}
