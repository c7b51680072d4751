//! Pages over the host's heap.

extern crate std;

use core::{
    ptr::NonNull,
    sync::atomic::{AtomicUsize, Ordering},
};

use super::{Allocator, Bytes, Memory, Page, SIZE};

struct Counted(AtomicUsize);

/// Pages that a test may have at once.
const MOST: usize = 3;

// SAFETY: the global allocator's pages, some of them.
unsafe impl Memory for Counted {
    fn allocate(&self) -> Option<NonNull<Bytes>> {
        if self.0.fetch_add(1, Ordering::Relaxed) >= MOST {
            self.0.fetch_sub(1, Ordering::Relaxed);
            return None;
        }
        Allocator.allocate()
    }

    unsafe fn free(&self, page: NonNull<Bytes>) {
        self.0.fetch_sub(1, Ordering::Relaxed);
        // SAFETY: it came from there.
        unsafe { Allocator.free(page) }
    }
}

#[test]
fn pages_are_filled_changed_and_given_back() {
    static MEMORY: Counted = Counted(AtomicUsize::new(0));
    let page = Page::filled(&MEMORY, |bytes| bytes.fill(7)).unwrap();
    assert!(page.address().is_multiple_of(SIZE));
    page.change(|bytes| bytes[1] = 8);
    assert_eq!(page.with(|bytes| [bytes[0], bytes[1], bytes[SIZE - 1]]), [7, 8, 7]);
    let again = page.clone();
    drop(page);
    assert_eq!(again.with(|bytes| bytes[1]), 8);
    drop(again);
    assert_eq!(MEMORY.0.load(Ordering::Relaxed), 0);
}

#[test]
fn no_memory_is_no_page() {
    static MEMORY: Counted = Counted(AtomicUsize::new(0));
    let pages: std::vec::Vec<_> = (0..MOST).map(|_| Page::zeroed(&MEMORY).unwrap()).collect();
    assert!(Page::zeroed(&MEMORY).is_none());
    drop(pages);
    assert!(Page::zeroed(&MEMORY).is_some());
}

#[test]
fn two_threads_copy_in_turns() {
    static MEMORY: Counted = Counted(AtomicUsize::new(0));
    let page = Page::zeroed(&MEMORY).unwrap();
    let rounds = if cfg!(miri) { 50 } else { 10_000 };
    std::thread::scope(|scope| {
        for value in 1..3 {
            let page = &page;
            scope.spawn(move || {
                for _ in 0..rounds {
                    page.change(|bytes| bytes[..64].fill(value));
                    assert!(page.with(|bytes| bytes[..64].iter().all(|byte| *byte == bytes[0])));
                }
            });
        }
    });
}

#[test]
fn several_pages_are_filled_together() {
    static MEMORY: Counted = Counted(AtomicUsize::new(0));
    let fill = |pages: &mut [&mut [u8]]| (1..).zip(pages).for_each(|(value, page)| page.fill(value));
    let pages = Page::several(&MEMORY, 2, fill);
    assert!(pages.iter().map(|page| page.with(|bytes| bytes[SIZE - 1])).eq([1, 2]));
    // As many as there is memory for.
    assert_eq!(Page::several(&MEMORY, 9, fill).len(), MOST - 2);
    drop(pages);
    assert_eq!(MEMORY.0.load(Ordering::Relaxed), 0);
}
