//! Two spaces at the same addresses.

use kernel::memory::{Left, MemoryError, Move};
use kernel_tests::{
    Program, TestSpace, on_the_machine, pager,
    space::{READ, WRITE, zeros},
};
use machine::{PAGE_SIZE, PageRange};

const PAGES: usize = 4;
const DATA: PageRange = 0x10_0000..0x10_0000 + PAGES * PAGE_SIZE;
const ELSEWHERE: PageRange = 0x20_0000..0x20_0000 + PAGES * PAGE_SIZE;

fn pages(range: &PageRange) -> Vec<usize> {
    range.clone().step_by(PAGE_SIZE).collect()
}

/// Two spaces with pages at the same addresses that hold 1 and 2 more than their number.
fn filled() -> [TestSpace; 2] {
    [10, 20].map(|word| {
        let space = TestSpace::new();
        assert_eq!(space.map(&zeros(DATA, WRITE)), Ok(DATA.start));
        for (number, page) in pages(&DATA).into_iter().enumerate() {
            assert!(space.store(page, word + number as u64));
        }
        space
    })
}

fn holds(space: &TestSpace, start: usize, word: u64) {
    for number in 0..PAGES {
        assert_eq!(space.load(start + number * PAGE_SIZE), Some(word + number as u64), "page {number}");
    }
}

#[test]
fn the_same_addresses_hold_different_words() {
    on_the_machine(|| {
        let [first, second] = filled();
        holds(&first, DATA.start, 10);
        holds(&second, DATA.start, 20);
    });
}

#[test]
fn a_fault_maps_nothing_in_the_other_space() {
    on_the_machine(|| {
        let [first, second] = [TestSpace::new(), TestSpace::new()];
        for space in [&first, &second] {
            assert_eq!(space.map(&zeros(DATA, WRITE)), Ok(DATA.start));
        }
        assert_eq!((first.present(), second.present()), (vec![], vec![]), "nothing is there before it is touched");
        assert!(first.store(DATA.start + PAGE_SIZE, 1));
        assert_eq!((first.present(), second.present()), (vec![DATA.start + PAGE_SIZE], vec![]));
        assert_eq!(second.load(DATA.start), Some(0));
        assert_eq!((first.present(), second.present()), (vec![DATA.start + PAGE_SIZE], vec![DATA.start]));
    });
}

#[test]
fn what_is_unmapped_is_gone_in_one_space_only() {
    on_the_machine(|| {
        let [first, second] = filled();
        assert_eq!(first.unmap(DATA.start..DATA.start + PAGE_SIZE), Ok(()));
        assert_eq!(first.load(DATA.start), None, "no stale translation is left");
        assert_eq!(first.present(), pages(&DATA)[1..]);
        holds(&second, DATA.start, 20);
        assert_eq!(first.map(&zeros(DATA.start..DATA.start + PAGE_SIZE, WRITE)), Ok(DATA.start));
        assert_eq!(first.load(DATA.start), Some(0), "a new mapping begins with zeros");
        assert_eq!(first.load(DATA.start + PAGE_SIZE), Some(11));
    });
}

#[test]
fn what_is_protected_is_so_in_one_space_only() {
    on_the_machine(|| {
        let [first, second] = filled();
        assert_eq!(first.protect(DATA, READ), Ok(()));
        assert!(!first.store(DATA.start, 1), "present pages are protected too");
        holds(&first, DATA.start, 10);
        assert!(second.store(DATA.start, 20));
        assert_eq!(first.protect(DATA, WRITE), Ok(()));
        assert!(first.store(DATA.start, 1));
        let beyond = DATA.start..DATA.end + PAGE_SIZE;
        assert_eq!(first.protect(beyond, READ), Err(MemoryError::NotMapped));
        assert!(!first.store(DATA.start, 2), "what comes before the gap is changed all the same");
    });
}

#[test]
fn what_is_moved_keeps_its_frames_and_leaves_the_other_space_alone() {
    on_the_machine(|| {
        let [first, second] = filled();
        let frames = pages(&DATA).into_iter().map(|page| first.frame(page)).collect::<Vec<_>>();
        let to = Move::To(ELSEWHERE.start, Left::Nothing);
        assert_eq!(first.remap(DATA, DATA.len(), to), Ok(ELSEWHERE.start));
        assert_eq!(pages(&ELSEWHERE).into_iter().map(|page| first.frame(page)).collect::<Vec<_>>(), frames);
        assert_eq!(first.load(DATA.start), None, "nothing is left where it was");
        holds(&first, ELSEWHERE.start, 10);
        holds(&second, DATA.start, 20);
        assert_eq!(second.load(ELSEWHERE.start), None);
        assert_eq!(first.remap(ELSEWHERE, PAGE_SIZE, Move::No), Ok(ELSEWHERE.start));
        assert_eq!(first.present(), [ELSEWHERE.start], "what is cut off is gone");
    });
}

#[test]
fn what_is_thrown_away_comes_back_as_zeros_in_one_space_only() {
    on_the_machine(|| {
        let [first, second] = filled();
        assert_eq!(first.discard(DATA), Ok(()));
        assert_eq!(first.present(), []);
        assert_eq!(first.load(DATA.start), Some(0));
        holds(&second, DATA.start, 20);
    });
}

#[test]
fn a_copy_is_apart_from_what_it_was_copied_from() {
    on_the_machine(|| {
        let [first, second] = filled();
        let copy = first.copy();
        assert_eq!(copy.present(), first.present());
        assert!(copy.store(DATA.start, 30) && first.store(DATA.start + PAGE_SIZE, 31));
        assert_eq!((first.load(DATA.start), copy.load(DATA.start)), (Some(10), Some(30)));
        assert_eq!(copy.load(DATA.start + PAGE_SIZE), Some(11));
        drop(first);
        assert_eq!(copy.load(DATA.start), Some(30), "it outlives the other one");
        holds(&second, DATA.start, 20);
    });
}

#[test]
fn what_is_lent_is_the_right_spaces() {
    on_the_machine(|| {
        let [first, second] = filled();
        let mut lengths = Vec::new();
        let begin = DATA.start + 8;
        let lent = first.lend(begin, PAGE_SIZE, &mut |places| {
            lengths = places.iter().map(|place| place.len()).collect();
            places.iter_mut().for_each(|place| place.fill(0xff));
        });
        assert!(lent && lengths == [PAGE_SIZE - 8, 8], "{lengths:?}");
        assert_eq!((first.load(DATA.start), first.load(DATA.start + PAGE_SIZE)), (Some(10), Some(u64::MAX)));
        assert_eq!(first.load(DATA.start + PAGE_SIZE + 8), Some(0));
        holds(&second, DATA.start, 20);
        assert!(!first.lend(DATA.end - PAGE_SIZE, 2 * PAGE_SIZE, &mut |_| panic!("part of it is not there")));
    });
}

#[test]
fn programs_run_in_turns_each_in_its_own_space() {
    on_the_machine(|| {
        let spaces = filled();
        let before = spaces.each_ref().map(|space| pager::with(space.number, |space| space.activated));
        let programs = [10, 20].into_iter().zip(&spaces).map(|(word, space)| {
            let number = space.number;
            Program::start(&space.space, move || {
                for turn in 0..20 {
                    assert_eq!(kernel_tests::processor::active_space(), number, "turn {turn}");
                    assert_eq!(contracts::user_memory::read_word(DATA.start), Ok(word + turn));
                    assert_eq!(contracts::user_memory::write_word(DATA.start, word + turn + 1), Ok(()));
                    kernel::task::yield_now();
                }
            })
        });
        programs.collect::<Vec<_>>().into_iter().for_each(Program::join);
        for (space, before) in spaces.iter().zip(before) {
            let activated = pager::with(space.number, |space| space.activated) - before;
            assert!(activated >= 20, "each turn of a program makes its space the active one: {activated}");
        }
    });
}
