//! A table against a map, and whether each file goes with its last descriptor.

use alloc::{collections::BTreeMap, rc::Rc};

use super::*;

/// A file by its number; its count tells how many descriptors it has.
type File = Rc<usize>;

fn open(file: &File, close_on_exec: bool) -> Descriptor<File> {
    Descriptor { description: file.clone(), close_on_exec }
}

/// As dup(2): the lowest free number.
fn add(table: &mut Table<File>, file: &File, limit: usize) -> Result<usize, Refused> {
    let number = table.free(0, limit)?;
    assert!(table.place(open(file, false), number).is_none(), "{number} was not free");
    Ok(number)
}

#[test]
fn the_lowest_free_number_is_given_out() {
    let (mut table, file) = (Table::new(), File::new(0));
    for number in 0..200 {
        assert_eq!(add(&mut table, &file, 1000), Ok(number));
    }
    for number in [150, 3, 64] {
        assert_eq!(*table.remove(number).unwrap().description, 0);
    }
    // F_DUPFD begins at a number of its own.
    assert_eq!((table.free(4, 1000), table.free(65, 1000), table.free(500, 1000)), (Ok(64), Ok(150), Ok(500)));
    for number in [3, 64, 150, 200] {
        assert_eq!(add(&mut table, &file, 1000), Ok(number));
    }
}

#[test]
fn limits_hold_for_new_numbers_alone() {
    let (mut table, file) = (Table::new(), File::new(0));
    for number in 0..8 {
        assert_eq!(add(&mut table, &file, 8), Ok(number));
    }
    assert_eq!(add(&mut table, &file, 8), Err(Refused::Full));
    // The limit was lowered: what is open stays so, and its place is lost when it is closed.
    assert!(table.get(7).is_ok());
    table.remove(5).unwrap();
    assert_eq!((table.free(0, 5), table.free(0, 6), table.free(6, 6)), (Err(Refused::Full), Ok(5), Err(Refused::Full)));
    assert_eq!(
        (named(7, 8), named(8, 8), named(-1, 8)),
        (Ok(7), Err(Refused::NoDescriptor), Err(Refused::NoDescriptor))
    );
}

#[test]
fn what_is_not_there_is_refused() {
    let (mut table, file) = (Table::new(), File::new(0));
    table.place(open(&file, false), 70);
    for number in [-1, i32::MIN, i32::MAX, 0, 69, 71] {
        assert_eq!(table.get(number).err(), Some(Refused::NoDescriptor), "{number}");
        assert_eq!(table.remove(number).err(), Some(Refused::NoDescriptor), "{number}");
        assert_eq!(table.set_close_on_exec(number, true), Err(Refused::NoDescriptor), "{number}");
    }
    assert!(!table.get(70).unwrap().close_on_exec);
    table.set_close_on_exec(70, true).unwrap();
    assert!(table.get(70).unwrap().close_on_exec);
    assert_eq!((table.next(0), table.next(70), table.next(71)), (Some(70), Some(70), None));
}

#[test]
fn a_copy_shares_files_and_no_numbers() {
    let (mut table, file) = (Table::new(), File::new(0));
    add(&mut table, &file, 8).unwrap();
    let mut copy = table.clone();
    assert_eq!(Rc::strong_count(&file), 3);
    copy.remove(0).unwrap();
    copy.place(open(&file, true), 4);
    assert!(table.get(0).is_ok() && table.get(4).is_err());
    drop((table, copy));
    assert_eq!(Rc::strong_count(&file), 1);
}

/// Descriptors as a map has them, each with its file and whether execve(2) closes it.
type Model = BTreeMap<usize, (usize, bool)>;

#[test]
fn random_calls_do_as_with_a_map_and_no_file_stays() {
    const FILES: usize = 7;
    const LIMIT: usize = 150;
    let files: Vec<File> = (0..FILES).map(File::new).collect();
    let (mut table, mut model) = (Table::new(), Model::new());
    let mut state = 9_u64;
    let mut random = move |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    for _ in 0..if cfg!(miri) { 300 } else { 30_000 } {
        let (file, number, flag) = (random(FILES), random(LIMIT + 10), random(2) == 0);
        match random(12) {
            0..=4 => {
                let least = random(20);
                let free = (least..LIMIT).find(|number| !model.contains_key(number)).ok_or(Refused::Full);
                assert_eq!(table.free(least, LIMIT), free);
                if let Ok(number) = free {
                    assert!(table.place(open(&files[file], flag), number).is_none());
                    model.insert(number, (file, flag));
                }
            }
            // dup2(2): what had the number goes, and comes back to the caller.
            5 | 6 => {
                let Ok(number) = named(number as i32, LIMIT) else { continue };
                let gone = table.place(open(&files[file], flag), number);
                let gone = gone.map(|gone| (*gone.description, gone.close_on_exec));
                assert_eq!(gone, model.insert(number, (file, flag)));
            }
            7..=9 => {
                let gone = table.remove(number as i32).ok().map(|gone| (*gone.description, gone.close_on_exec));
                assert_eq!(gone, model.remove(&number));
            }
            10 => {
                let there = model.get_mut(&number).map(|entry| entry.1 = flag);
                assert_eq!(table.set_close_on_exec(number as i32, flag).ok(), there);
            }
            _ if random(50) == 0 => {
                let closed: Vec<usize> = table.close_on_execute().iter().map(|gone| *gone.description).collect();
                let wanted: Vec<usize> = model.values().filter(|entry| entry.1).map(|entry| entry.0).collect();
                assert_eq!(closed, wanted);
                model.retain(|_, entry| !entry.1);
            }
            _ => {}
        }
        assert_eq!(table.next(number), model.range(number..).next().map(|(&number, _)| number));
        assert_eq!(table.iter().count(), model.len());
    }
    for (number, file) in files.iter().enumerate() {
        let descriptors = model.values().filter(|entry| entry.0 == number).count();
        assert_eq!(Rc::strong_count(file), 1 + descriptors, "file {number}");
    }
}
