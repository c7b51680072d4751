//! What an address space is held to.

use kernel::memory::{MapRequest, MemoryError, Move, Placement};
use kernel_tests::{
    TestSpace, on_the_machine,
    space::{READ, WRITE, zeros},
};
use machine::{PAGE_SIZE, PageRange};

const DATA: PageRange = 0x10_0000..0x10_4000;

#[test]
fn data_is_counted_against_its_limit() {
    on_the_machine(|| {
        let space = TestSpace::new();
        assert_eq!(space.map(&zeros(DATA, WRITE)), Ok(DATA.start));
        space.set_data_limit(DATA.len() + PAGE_SIZE, usize::MAX);
        let wish = |pages: usize, protection| {
            let length = pages * PAGE_SIZE;
            MapRequest { placement: Placement::Anywhere, length, ..zeros(DATA, protection) }
        };
        assert_eq!(space.map(&wish(2, WRITE)), Err(MemoryError::OutOfMemory));
        let read = space.map(&wish(2, READ)).expect("what is only read is no data");
        assert_eq!(space.protect(read..read + 2 * PAGE_SIZE, WRITE), Err(MemoryError::OutOfMemory));
        assert_eq!(space.protect(read..read + PAGE_SIZE, WRITE), Ok(()));
        assert_eq!(space.map(&wish(1, WRITE)), Err(MemoryError::OutOfMemory));
        assert_eq!(space.remap(DATA, DATA.len() + PAGE_SIZE, Move::IfNeeded), Err(MemoryError::OutOfMemory));
        assert_eq!(space.unmap(DATA), Ok(()));
        assert!(space.map(&wish(4, WRITE)).is_ok(), "what is gone is counted no longer");
        let copy = space.copy();
        assert_eq!(copy.map(&wish(1, WRITE)), Err(MemoryError::OutOfMemory), "a copy is held to the same");
    });
}

#[test]
fn all_that_is_mapped_is_counted_against_its_limit() {
    on_the_machine(|| {
        let space = TestSpace::new();
        assert_eq!(space.map(&zeros(DATA, READ)), Ok(DATA.start));
        space.set_size_limit(DATA.len() + PAGE_SIZE);
        let wish = |pages: usize| {
            let length = pages * PAGE_SIZE;
            MapRequest { placement: Placement::Anywhere, length, ..zeros(DATA, READ) }
        };
        assert_eq!(space.map(&wish(2)), Err(MemoryError::OutOfMemory));
        assert_eq!(space.remap(DATA, DATA.len() + 2 * PAGE_SIZE, Move::IfNeeded), Err(MemoryError::OutOfMemory));
        assert_eq!(space.protect(DATA, WRITE), Ok(()), "it was counted already");
        let place = MapRequest { placement: Placement::Fixed, ..zeros(DATA.start..DATA.end + PAGE_SIZE, READ) };
        assert_eq!(space.map(&place), Ok(DATA.start), "what it takes the place of counts no longer");
        assert_eq!(space.map(&wish(1)), Err(MemoryError::OutOfMemory));
        assert_eq!(space.copy().map(&wish(1)), Err(MemoryError::OutOfMemory), "a copy is held to the same");
        assert_eq!(space.unmap(DATA), Ok(()));
        assert!(space.map(&wish(4)).is_ok(), "what is gone is counted no longer");
    });
}

#[test]
fn locked_pages_are_counted_and_a_copy_has_none() {
    on_the_machine(|| {
        let space = TestSpace::new();
        assert_eq!(space.map(&zeros(DATA, WRITE)), Ok(DATA.start));
        assert_eq!(space.lock(DATA, DATA.len() - 1), Err(MemoryError::OutOfMemory));
        assert_eq!((space.lock(DATA, DATA.len()), space.locked()), (Ok(()), DATA.len()));
        assert_eq!((space.lock(DATA, DATA.len()), space.locked()), (Ok(()), DATA.len()), "once is enough");
        assert_eq!(space.unlock(DATA.start..DATA.start + PAGE_SIZE), Ok(()));
        assert_eq!(space.locked(), DATA.len() - PAGE_SIZE);
        assert!(!space.is_locked(&(DATA.start..DATA.start + PAGE_SIZE)) && space.is_locked(&DATA));
        assert_eq!(space.copy().locked(), 0);
        assert_eq!(space.unmap(DATA), Ok(()));
        assert_eq!(space.locked(), 0);
    });
}

#[test]
fn what_the_machine_can_never_have_is_refused_at_once() {
    on_the_machine(|| {
        let space = TestSpace::new();
        let wish = MapRequest { length: 2 << 30, placement: Placement::Anywhere, ..zeros(DATA, WRITE) };
        assert_eq!(space.map(&wish), Err(MemoryError::OutOfMemory));
        assert!(space.map(&MapRequest { reserve: false, ..wish }).is_ok());
    });
}
