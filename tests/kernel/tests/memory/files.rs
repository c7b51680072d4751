//! Files that spaces show.

use std::sync::{Arc, atomic::Ordering::SeqCst};

use kernel::memory::{MemoryError, NoPage};
use kernel::task::{private_word, word};
use kernel_tests::{
    Program, TestFile, TestSpace, on_the_machine,
    space::{READ, WRITE, shows},
};
use machine::{PAGE_SIZE, PageRange};

const SHOWN: PageRange = 0x10_0000..0x10_2000;
const ELSEWHERE: PageRange = 0x20_0000..0x20_2000;

#[test]
fn a_shared_page_is_one_and_a_private_one_is_copied() {
    on_the_machine(|| {
        let (file, reference) = TestFile::new(&[1, 2]).referenced();
        let [first, second] = [TestSpace::new(), TestSpace::new()];
        assert_eq!(first.map(&shows(&reference, 0, SHOWN, WRITE, true)), Ok(SHOWN.start));
        assert_eq!(second.map(&shows(&reference, 0, ELSEWHERE, WRITE, true)), Ok(ELSEWHERE.start));
        assert_eq!(second.map(&shows(&reference, 0, SHOWN, WRITE, false)), Ok(SHOWN.start));
        assert_eq!((first.load(SHOWN.start), second.load(SHOWN.start)), (Some(1), Some(1)));
        assert_eq!(file.written.load(SeqCst), 0, "a load is no store");
        assert!(first.store(SHOWN.start, 10));
        assert_eq!(file.written.load(SeqCst), 1, "the file is told of the first store");
        assert_eq!((second.load(ELSEWHERE.start), second.load(SHOWN.start)), (Some(10), Some(10)));
        assert!(second.store(SHOWN.start, 20));
        assert_eq!((first.load(SHOWN.start), second.load(SHOWN.start)), (Some(10), Some(20)));
        assert_eq!(file.word(0), 10);
        assert!(second.store(SHOWN.start + PAGE_SIZE, 21), "a store may be the first that touches a page");
        assert_eq!((file.word(1), second.load(SHOWN.start + PAGE_SIZE)), (2, Some(21)));
    });
}

#[test]
fn what_a_file_takes_back_is_forgotten_where_it_is_asked() {
    on_the_machine(|| {
        let (file, reference) = TestFile::new(&[1, 2]).referenced();
        let [first, second] = [TestSpace::new(), TestSpace::new()];
        for space in [&first, &second] {
            assert_eq!(space.map(&shows(&reference, 0, SHOWN, WRITE, false)), Ok(SHOWN.start));
            assert_eq!(space.load(SHOWN.start), Some(1));
            assert!(space.store(SHOWN.start + PAGE_SIZE, 3));
        }
        first.forget_file(reference.key(), 1..2);
        assert_eq!(first.present().len(), 2, "only the pages that are named, and no private copies");
        first.forget_file(reference.key() + 8, 0..2);
        assert_eq!(first.present().len(), 2, "another file's");
        first.forget_file(reference.key(), 0..2);
        assert_eq!(first.present(), [SHOWN.start + PAGE_SIZE], "the private copy stays");
        assert_eq!(second.present().len(), 2);
        drop(file);
        assert_eq!(first.load(SHOWN.start), Some(1), "it is asked for again");
    });
}

#[test]
fn a_page_that_is_away_is_waited_for_once() {
    on_the_machine(|| {
        let (file, reference) = TestFile::new(&[1]).with_away(1, 2).referenced();
        let space = TestSpace::new();
        assert_eq!(space.map(&shows(&reference, 0, SHOWN, READ, false)), Ok(SHOWN.start));
        assert_eq!(space.load(SHOWN.start), Some(1));
        assert_eq!(file.brought.load(SeqCst), 0);
        assert_eq!(space.load(SHOWN.start + PAGE_SIZE), Some(2));
        assert_eq!(file.brought.load(SeqCst), 1);
    });
}

#[test]
fn a_file_is_let_go_of_with_its_last_mapping() {
    on_the_machine(|| {
        let (file, reference) = TestFile::new(&[1, 2]).referenced();
        let space = TestSpace::new();
        assert_eq!(space.map(&shows(&reference, 0, SHOWN, READ, false)), Ok(SHOWN.start));
        drop(reference);
        assert_eq!(space.unmap(SHOWN.start..SHOWN.start + PAGE_SIZE), Ok(()));
        assert_eq!(space.load(SHOWN.start + PAGE_SIZE), Some(2));
        assert_eq!(space.unmap(SHOWN), Ok(()));
        assert!(Arc::into_inner(file).is_some(), "nobody has it any more");
    });
}

#[test]
fn a_files_error_is_the_faults() {
    on_the_machine(|| {
        let refusing = |why| TestFile::new(&[1]).refusing(1, why).referenced().1;
        let space = TestSpace::new();
        assert_eq!(space.map(&shows(&refusing(NoPage::Missing), 0, SHOWN, READ, false)), Ok(SHOWN.start));
        assert_eq!(space.load(SHOWN.start), Some(1));
        assert_eq!(space.load(SHOWN.start + PAGE_SIZE), None, "behind the end of the file");
        let poor = refusing(NoPage::OutOfMemory);
        assert_eq!(space.map(&shows(&poor, 0, ELSEWHERE, READ, false)), Ok(ELSEWHERE.start));
        let touch = || space.load(ELSEWHERE.start + PAGE_SIZE);
        let why = std::panic::catch_unwind(std::panic::AssertUnwindSafe(touch)).expect_err("there is no memory");
        assert_eq!(why.downcast_ref(), Some(&"the machine is out of memory"));
    });
}

#[test]
fn a_file_that_is_only_read_is_not_stored_into() {
    on_the_machine(|| {
        let (file, reference) = TestFile::new(&[1, 2]).read_only().referenced();
        let space = TestSpace::new();
        assert_eq!(space.map(&shows(&reference, 0, SHOWN, READ, true)), Ok(SHOWN.start));
        assert_eq!(space.protect(SHOWN, WRITE), Err(MemoryError::NotWritable));
        assert!(!space.store(SHOWN.start, 3));
        assert_eq!(file.word(0), 1);
    });
}

/// What a word is known by to a program: in all, and as its own space's.
fn keys(space: &TestSpace, address: usize) -> [sync::words::Key; 2] {
    let (tell, told) = std::sync::mpsc::channel();
    let look = move || tell.send([word(address), private_word(address)]).expect("the test listens");
    Program::start(&space.space, look).join();
    told.recv().expect("the program has told")
}

#[test]
fn a_word_of_a_shared_page_is_one_in_all_spaces_and_any_other_is_not() {
    on_the_machine(|| {
        let (_, reference) = TestFile::new(&[1, 2]).referenced();
        let [first, second] = [TestSpace::new(), TestSpace::new()];
        for (space, shared) in [(&first, SHOWN), (&second, ELSEWHERE)] {
            space.expect_shared_words();
            assert_eq!(space.map(&shows(&reference, 0, shared.clone(), WRITE, true)), Ok(shared.start));
        }
        let private = 0x30_0000..0x30_2000;
        for space in [&first, &second] {
            assert_eq!(space.map(&shows(&reference, 0, private.clone(), WRITE, false)), Ok(private.start));
        }
        let at = PAGE_SIZE + 8;
        let [in_first, own] = keys(&first, SHOWN.start + at);
        assert_eq!(in_first, keys(&second, ELSEWHERE.start + at)[0], "one page at two addresses");
        assert_ne!(in_first, keys(&second, ELSEWHERE.start + at + 4)[0], "another word");
        assert_ne!(in_first, keys(&first, SHOWN.start + 8)[0], "another page");
        assert_ne!(in_first, own, "a private wait is the space's own");
        let [of_first, of_second] = [&first, &second].map(|space| keys(space, private.start + 8));
        assert_eq!(of_first[0], of_first[1], "what is private is the space's own");
        assert_ne!(of_first[0], of_second[0], "the same address of two spaces");
    });
}
