//! Numbers, keys and rights.

use super::std::vec::Vec;

use super::{ROOT, user};
use crate::{Error, Get, Permission, READ, Table, WRITE};

fn table() -> Table<u32> {
    Table::new()
}

fn add(table: &mut Table<u32>, key: i32) -> Result<i32, Error> {
    table.add(Permission::new(key, 0o600, &ROOT), 7, 100)
}

#[test]
fn a_number_is_not_soon_given_again() {
    let mut table = table();
    let numbers: Vec<i32> = (0..1000)
        .map(|_| {
            let number = add(&mut table, 0).expect("there is room");
            assert!(table.remove(number).is_ok());
            assert_eq!(table.remove(number).err(), Some(Error::Invalid));
            number
        })
        .collect();
    let mut sorted = numbers.clone();
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!(sorted.len(), numbers.len());
    // Linux begins so too: 64 places, then the next sequence.
    assert_eq!([numbers[0], numbers[1], numbers[63], numbers[64]], [0, 1, 63, 0x8000]);
}

#[test]
fn there_are_at_most_so_many() {
    let mut table = table();
    for index in 0..100 {
        assert_eq!(add(&mut table, 0), Ok(index));
    }
    assert_eq!(add(&mut table, 0), Err(Error::NoRoom));
    assert!(table.remove(42).is_ok() && table.remove(99).is_ok());
    assert_eq!((table.count(), table.highest()), (98, 98));
    assert_eq!([add(&mut table, 0), add(&mut table, 0)], [Ok(1 << 15 | 42), Ok(1 << 15 | 99)]);
    assert_eq!(table.find(42).err(), Some(Error::Invalid));
    assert_eq!(table.at(42).map(|(number, _)| number), Ok(1 << 15 | 42));
    assert_eq!([table.find(-1).err(), table.find(100).err()], [Some(Error::Invalid); 2]);
}

#[test]
fn keys_lead_to_objects_until_they_are_forgotten() {
    let mut table = table();
    let get = |table: &Table<u32>, key, flags| table.get(key, flags, &ROOT, |_| Ok(()));
    assert_eq!(get(&table, 5, 0), Err(Error::NotFound));
    assert_eq!(get(&table, 5, 0o1000), Ok(Get::New));
    let number = add(&mut table, 5).expect("there is room");
    assert_eq!(get(&table, 5, 0), Ok(Get::Found(number)));
    assert_eq!(get(&table, 5, 0o3000), Err(Error::Exists));
    assert_eq!(get(&table, 0, 0), Ok(Get::New));
    assert_eq!(table.get(5, 0, &ROOT, |_| Err(Error::Invalid)), Err(Error::Invalid));
    assert_eq!(table.forget_key(number), Ok(()));
    assert_eq!((get(&table, 5, 0), table.find(number).is_ok()), (Err(Error::NotFound), true));
}

#[test]
fn modes_bind_all_but_the_privileged() {
    let mut permission = Permission::new(1, 0o640, &user(10));
    let check = |permission: &Permission, who| {
        [permission.check(&user(who), READ).is_ok(), permission.check(&user(who), WRITE).is_ok()]
    };
    assert_eq!([10, 13, 12].map(|who| check(&permission, who)), [[true, true], [true, false], [false, false]]);
    assert_eq!(permission.check(&ROOT, READ | WRITE), Ok(()));
    assert_eq!([user(10), user(12), ROOT].map(|who| permission.check_owner(&who).is_ok()), [true, false, true]);
    permission.set(12, 12, 0o7206);
    assert_eq!((permission.mode, check(&permission, 12), check(&permission, 14)), (0o206, [false, true], [true, true]));
    // Who made it stays one of its owners.
    assert_eq!((check(&permission, 10), permission.check_owner(&user(10))), ([false, true], Ok(())));
}
