//! Operations: all or none, in their order, and undone.

use super::std::{vec, vec::Vec};

use super::{ROOT, bell, user};
use crate::{
    Error,
    semaphore::{HIGHEST, Operation, Sets, UNDO, Wait},
};

const NO_WAIT: u16 = 0o4000;

fn set(values: &[u16]) -> (Sets, i32) {
    let mut sets = Sets::new();
    let number = sets.get(0, values.len(), 0o600, &ROOT, 1).expect("there is room");
    let object = sets.table.find(number).expect("it is there");
    assert_eq!(object.content.set(0, values, 1, 1), Ok(()));
    (sets, number)
}

fn operate(sets: &mut Sets, number: i32, operations: &[(u16, i16)], flags: u16) -> Result<Option<Wait>, Error> {
    let operations = operations.iter().map(|&(number, change)| Operation { number, change, flags });
    sets.operate(number, operations.collect(), &ROOT, 5, bell)
}

fn values(sets: &mut Sets, number: i32) -> Vec<u16> {
    sets.table.find(number).expect("it is there").content.values().collect()
}

fn waits(sets: &mut Sets, number: i32, operations: &[(u16, i16)]) -> Wait {
    operate(sets, number, operations, 0).expect("no error").expect("it waits")
}

#[test]
fn all_operations_are_done_or_none() {
    let (mut sets, number) = set(&[1, 1]);
    assert_eq!(operate(&mut sets, number, &[(0, -1), (1, -2)], NO_WAIT).err(), Some(Error::WouldBlock));
    assert_eq!(values(&mut sets, number), [1, 1]);
    assert!(operate(&mut sets, number, &[(0, -1), (0, 0), (1, 3), (1, -4)], NO_WAIT).is_ok_and(|wait| wait.is_none()));
    assert_eq!(values(&mut sets, number), [0, 0]);
    assert_eq!(operate(&mut sets, number, &[(0, 1), (1, 32_767), (1, 1)], 0).err(), Some(Error::OutOfRange));
    assert_eq!(operate(&mut sets, number, &[(2, 1)], 0).err(), Some(Error::NoSuchSemaphore));
    assert_eq!(values(&mut sets, number), [0, 0]);
}

#[test]
fn those_who_wait_go_on_in_their_order() {
    let (mut sets, number) = set(&[0, 1]);
    let two = waits(&mut sets, number, &[(0, -2)]);
    let both = waits(&mut sets, number, &[(0, -1), (1, -1)]);
    let zero = waits(&mut sets, number, &[(1, 0)]);
    let one = waits(&mut sets, number, &[(0, -1)]);
    let count = |sets: &mut Sets, semaphore, zero| {
        sets.table.find(number).expect("it is there").content.waiting(semaphore, zero)
    };
    assert_eq!(
        [count(&mut sets, 0, false), count(&mut sets, 1, true), count(&mut sets, 1, false)],
        [Ok(3), Ok(1), Ok(0)]
    );
    // One unit: the first needs two, the second takes it and the other semaphore's, for whose zero the third waits.
    assert!(operate(&mut sets, number, &[(0, 1)], 0).is_ok());
    assert_eq!([&two, &both, &zero, &one].map(|wait| wait.ended()), [None, Some(Ok(())), Some(Ok(())), None]);
    assert!(operate(&mut sets, number, &[(0, 2)], 0).is_ok());
    assert_eq!([&two, &one].map(|wait| wait.ended()), [Some(Ok(())), None]);
    assert_eq!(sets.give_up(number, &one), None);
    assert_eq!((count(&mut sets, 0, false), values(&mut sets, number)), (Ok(0), vec![0, 0]));
}

#[test]
fn a_removed_set_sends_all_away() {
    let (mut sets, number) = set(&[0]);
    let wait = waits(&mut sets, number, &[(0, -1)]);
    assert_eq!(sets.remove(number, &user(7)), Err(Error::NotPermitted));
    assert_eq!(sets.remove(number, &ROOT), Ok(()));
    assert_eq!((sets.give_up(number, &wait), sets.count), (Some(Err(Error::Removed)), 0));
}

#[test]
fn what_a_process_did_is_undone() {
    let (mut sets, number) = set(&[5, 0]);
    assert!(operate(&mut sets, number, &[(0, -3), (1, 4)], UNDO).is_ok());
    assert!(operate(&mut sets, number, &[(1, -2)], 0).is_ok());
    let wait = waits(&mut sets, number, &[(1, 0)]);
    sets.leave(1, 9);
    // The second would be -2 and stays at zero.
    assert_eq!((values(&mut sets, number), wait.ended()), (vec![5, 0], Some(Ok(()))));
    sets.leave(1, 9);
    assert_eq!(values(&mut sets, number), [5, 0]);
    // What is set by hand is no longer undone.
    assert!(operate(&mut sets, number, &[(0, 1), (1, 1)], UNDO).is_ok());
    assert_eq!(sets.table.find(number).expect("it is there").content.set(0, &[8], 1, 1), Ok(()));
    sets.leave(1, 9);
    assert_eq!(values(&mut sets, number), [8, 0]);
}

#[test]
fn undoing_has_a_range() {
    let (mut sets, number) = set(&[HIGHEST as u16]);
    assert!(operate(&mut sets, number, &[(0, -32_767)], UNDO).is_ok());
    assert!(operate(&mut sets, number, &[(0, 1)], 0).is_ok());
    assert_eq!(operate(&mut sets, number, &[(0, -1)], UNDO).err(), Some(Error::OutOfRange));
    assert_eq!(values(&mut sets, number), [1]);
}

#[test]
fn ten_thousand_wait_in_one_line() {
    let (mut sets, number) = set(&[0]);
    let waiting: Vec<Wait> = (0..10_000).map(|_| waits(&mut sets, number, &[(0, -1)])).collect();
    assert!(operate(&mut sets, number, &[(0, 10_000)], 0).is_ok());
    assert!(waiting.iter().all(|wait| wait.ended() == Some(Ok(()))));
    assert_eq!(values(&mut sets, number), [0]);
}
