//! Who shows a file's pages, and is told that they are gone.

use core::ops::Range;
use std::sync::{Mutex, Weak};

use super::*;
use crate::{Mappings, Shows};

/// An address space of which copies are made while it is told.
#[derive(Default)]
struct Space {
    told: AtomicUsize,
    /// How many copies there will be, each of the one before.
    left: usize,
    copy: Mutex<Option<Arc<Space>>>,
}

impl Shows for Space {
    fn forget(&self, file: &Mappings, _: Range<u64>) {
        self.told.fetch_add(1, Ordering::Relaxed);
        if let Some(left) = self.left.checked_sub(1) {
            let mut copy = self.copy.lock().unwrap();
            let copy = copy.get_or_insert_with(|| Arc::new(Self { left, ..Self::default() }));
            file.add(&weak(copy));
        }
    }
}

fn weak(space: &Arc<Space>) -> Weak<dyn Shows> {
    let shows: Arc<dyn Shows> = space.clone();
    Arc::downgrade(&shows)
}

#[test]
fn copies_made_meanwhile_are_told_as_well() {
    let file = Mappings::new();
    let first = Arc::new(Space { left: 3, ..Space::default() });
    // Some have come and gone.
    for _ in 0..5 {
        file.add(&weak(&Arc::new(Space::default())));
    }
    file.add(&weak(&first));
    file.forget(0..1);
    let (mut space, mut copies) = (first.clone(), 0);
    while let Some(copy) = { space.copy.lock().unwrap().clone() } {
        assert_eq!(copy.told.load(Ordering::Relaxed), 1, "copy {copies}");
        (space, copies) = (copy, copies + 1);
    }
    assert_eq!((copies, first.told.load(Ordering::Relaxed)), (3, 1));
    file.forget(0..1);
    assert_eq!((first.told.load(Ordering::Relaxed), space.told.load(Ordering::Relaxed)), (2, 2));
    assert!(file.is_mapped());
}
