//! What a fault may and may not do.

use kernel::memory::{MapRequest, MemoryError, Placement};
use kernel_tests::{
    TestSpace, on_the_machine,
    space::{READ, WRITE, zeros},
    with_few_frames,
};
use machine::{PAGE_SIZE, PageRange, Protection};

const DATA: PageRange = 0x10_0000..0x10_4000;

#[test]
fn what_is_not_mapped_or_not_allowed_is_refused() {
    on_the_machine(|| {
        let space = TestSpace::new();
        assert_eq!(space.load(DATA.start), None);
        assert_eq!(space.map(&zeros(DATA, READ)), Ok(DATA.start));
        assert_eq!(space.load(DATA.start), Some(0));
        assert!(!space.store(DATA.start, 1) && !space.fetch(DATA.start));
        assert_eq!(space.load(DATA.end), None);
        assert_eq!(space.present(), [DATA.start]);
    });
}

#[test]
fn a_page_is_never_writable_and_executable_at_once() {
    on_the_machine(|| {
        let space = TestSpace::new();
        let both = Protection { execute: true, ..WRITE };
        assert_eq!(space.map(&zeros(DATA, both)), Ok(DATA.start));
        for turn in 0..3 {
            assert!(space.store(DATA.start, turn));
            assert_eq!(space.granted(DATA.start), Some(WRITE));
            assert!(space.fetch(DATA.start));
            assert_eq!(space.granted(DATA.start), Some(Protection { execute: true, ..READ }));
            assert_eq!(space.load(DATA.start), Some(turn));
        }
    });
}

#[test]
fn a_stack_grows_down_to_its_limit_and_leaves_a_gap() {
    on_the_machine(|| {
        let space = TestSpace::new();
        let stack = 0x4000_0000..0x4000_0000 + 2 * PAGE_SIZE;
        let request = MapRequest { grows_down: true, ..zeros(stack.clone(), WRITE) };
        assert_eq!(space.map(&request), Ok(stack.start));
        space.set_stack_limit(8 * PAGE_SIZE);
        assert!(space.store(stack.end - 8 * PAGE_SIZE, 1), "down to the limit");
        assert!(!space.store(stack.end - 9 * PAGE_SIZE, 1), "no further");
        assert!(space.is_mapped(&(stack.end - 8 * PAGE_SIZE..stack.end)));
    });
}

#[test]
fn without_a_frame_the_application_is_told() {
    on_the_machine(|| {
        let space = TestSpace::new();
        assert_eq!(space.map(&zeros(DATA, WRITE)), Ok(DATA.start));
        let refused = with_few_frames(1, || {
            assert!(space.store(DATA.start, 1));
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| space.store(DATA.start + PAGE_SIZE, 2)))
        });
        let why = refused.expect_err("no frame is left");
        assert_eq!(why.downcast_ref(), Some(&"the machine is out of memory"));
        assert_eq!(space.load(DATA.start), Some(1), "what was there stays");
        assert!(space.store(DATA.start + PAGE_SIZE, 2), "the book is not left locked");
    });
}

#[test]
fn wishes_are_placed_as_they_say() {
    on_the_machine(|| {
        let space = TestSpace::new();
        let wish = |placement| MapRequest { placement, ..zeros(DATA, WRITE) };
        assert_eq!(space.map(&wish(Placement::Hint)), Ok(DATA.start));
        assert!(space.store(DATA.start, 1));
        assert_eq!(space.map(&wish(Placement::FixedNoReplace)), Err(MemoryError::Exists));
        let elsewhere = space.map(&wish(Placement::Hint)).expect("there is room");
        assert!(elsewhere != DATA.start && space.store(elsewhere, 2));
        assert_eq!(space.load(DATA.start), Some(1));
        assert_eq!(space.map(&wish(Placement::Fixed)), Ok(DATA.start));
        assert_eq!(space.load(DATA.start), Some(0), "what was there is gone");
        let outside = 0..PAGE_SIZE;
        assert_eq!(space.map(&zeros(outside, WRITE)), Err(MemoryError::BadRange));
        assert_eq!(space.unmap(DATA.start + 1..DATA.end), Err(MemoryError::BadRange));
    });
}
