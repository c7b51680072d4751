//! All allocators by the same tests.

extern crate std;

use std::{boxed::Box, collections::BTreeSet, ops::Range, vec, vec::Vec};

use crate::{Bitmap, Buddy, Frames, FreeError, Statistics, Zone};

/// How often, or how many: less in Miri, where a frame takes milliseconds.
const fn few(usual: usize, in_miri: usize) -> usize {
    if cfg!(miri) { in_miri } else { usual }
}

/// A book for `Z` over these frames, full of rubbish.
fn book<'a, Z: Zone<'a>>(frames: &Range<usize>) -> Vec<u64> {
    vec![0xdead_beef_5555_aaaa; Z::book_words(frames)]
}

fn all<'a>(zone: &mut impl Zone<'a>) -> BTreeSet<usize> {
    core::iter::from_fn(|| zone.allocate()).collect()
}

fn every_frame_once<'a>(mut zone: impl Zone<'a>) {
    let frames = zone.frames();
    assert_eq!(zone.statistics(), Statistics { total: frames.len(), free: frames.len() });
    assert_eq!(all(&mut zone), frames.clone().collect());
    assert_eq!(zone.statistics(), Statistics { total: frames.len(), free: 0 });
    assert_eq!((zone.allocate(), zone.allocate_run(2, 1)), (None, None));
}

fn returned_come_again<'a>(mut zone: impl Zone<'a>) {
    let start = zone.frames().start;
    all(&mut zone);
    let some = BTreeSet::from([3, 64, 130, 255].map(|index| start + index));
    some.iter().for_each(|&frame| zone.free_run(frame, 1).unwrap());
    assert_eq!(all(&mut zone), some);
}

fn mistakes<'a>(mut zone: impl Zone<'a>) {
    let untouched = zone.frames().end - 1;
    assert_eq!(zone.free_run(untouched, 1), Err(FreeError::NotInUse(untouched)));
    let first = zone.allocate_run(4, 1).unwrap();
    assert_eq!(zone.free_run(first + 1, 2), Ok(()));
    assert_eq!(zone.free_run(first + 1, 1), Err(FreeError::NotInUse(first + 1)));
    let before = zone.statistics();
    assert_eq!(zone.free_run(first, 4), Err(FreeError::NotInUse(first + 1)));
    assert_eq!(zone.statistics(), before, "a refused call changes nothing");
    assert_eq!((zone.free_run(first, 1), zone.free_run(first + 3, 1)), (Ok(()), Ok(())));
}

fn runs<'a>(mut zone: impl Zone<'a>) {
    assert_eq!((zone.allocate_run(0, 1), zone.allocate_run(zone.frames().len() + 1, 1)), (None, None));
    let mut taken = BTreeSet::new();
    for (count, alignment) in [(1, 1), (3, 2), (7, 8), (1, 64), (64, 64), (5, 1), (100, 4)] {
        let first = zone.allocate_run(count, alignment).unwrap();
        assert_eq!(first % alignment, 0);
        assert!((first..first + count).all(|frame| zone.frames().contains(&frame) && taken.insert(frame)));
    }
    assert_eq!(zone.statistics().free, zone.frames().len() - taken.len());
    assert_eq!(all(&mut zone).len() + taken.len(), zone.frames().len());
}

/// What single frames were made of serves as a large page when all of it has come back.
fn large_pages<'a>(mut zone: impl Zone<'a>) {
    let frames = all(&mut zone);
    assert_eq!(zone.allocate_run(512, 512), None);
    let large = zone.frames().start.next_multiple_of(512);
    let mut order: Vec<usize> = frames.range(large..large + 512).copied().collect();
    order.sort_by_key(|frame| frame.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40);
    for (number, frame) in order.into_iter().enumerate() {
        if !cfg!(miri) || number % 64 == 0 || number == 511 {
            assert_eq!(zone.allocate_run(512, 512), None);
        }
        zone.free_run(frame, 1).unwrap();
    }
    assert_eq!(zone.allocate_run(512, 512), Some(large));
}

fn random_use<'a>(mut zone: impl Zone<'a>) {
    let frames = zone.frames();
    let mut used: BTreeSet<usize> = BTreeSet::new();
    let mut state = 1_u64;
    let mut random = move |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    for _ in 0..few(20_000, 40) {
        let (count, alignment) = (random(9) + 1, 1 << random(4));
        if random(2) == 0 {
            if let Some(first) = zone.allocate_run(count, alignment) {
                assert_eq!(first % alignment, 0);
                assert!((first..first + count).all(|frame| frames.contains(&frame) && used.insert(frame)));
            }
        } else if let Some(&first) = used.iter().nth(random(used.len().max(1))) {
            let run = (first..).take(count).take_while(|frame| used.contains(frame)).count();
            zone.free_run(first, run).unwrap();
            (first..first + run).for_each(|frame| _ = used.remove(&frame));
        }
        assert_eq!(zone.statistics().free, frames.len() - used.len());
    }
    for frame in core::mem::take(&mut used) {
        zone.free_run(frame, 1).unwrap();
    }
    assert_eq!(all(&mut zone), frames.collect());
}

macro_rules! for_each_zone {
    ($($test:ident($frames:expr);)*) => {
        mod of_bitmap { $(#[test] fn $test() { super::for_each_zone!(@ bitmap, $test, $frames) })* }
        mod of_buddy { $(#[test] fn $test() { super::for_each_zone!(@ buddy, $test, $frames) })* }
    };
    (@ $kind:ident, $test:ident, $frames:expr) => {{
        use crate::{Zone as _, $kind::Zone};
        let mut book = super::book::<Zone<'_>>(&$frames);
        super::$test(Zone::new($frames, &mut book));
    }};
}
use for_each_zone;

for_each_zone! {
    every_frame_once(10..10 + super::few(1200, 140));
    returned_come_again(7..263);
    mistakes(100..200);
    runs(5..5 + super::few(695, 395));
    large_pages(1000..super::few(2100, 1536));
    random_use(5..5 + super::few(495, 130));
}

fn zones_follow_one_another(frames: &'static dyn Frames) {
    let book = |range: Range<usize>| {
        let words = frames.book_words(range);
        Box::leak(vec![7_u64; words].into_boxed_slice())
    };
    assert!(frames.add(100..102, book(100..102)) && frames.add(8..16, book(8..16)));
    assert_eq!(frames.statistics(), Statistics { total: 10, free: 10 });
    assert_eq!(frames.allocate_run(4, 4), Some(8));
    let two = BTreeSet::from([frames.allocate(), frames.allocate()]);
    assert_eq!(two, BTreeSet::from([Some(100), Some(101)]));
    assert_eq!(frames.free_run(50, 1), Err(FreeError::Foreign(50)));
    assert_eq!(frames.free_run(101, 2), Err(FreeError::Foreign(102)));
    assert_eq!(frames.free_run(8, 4), Ok(()));
    assert_eq!(frames.free_run(8, 1), Err(FreeError::NotInUse(8)));
    assert_eq!(frames.statistics(), Statistics { total: 10, free: 8 });
    let rest = (0..10).take_while(|_| frames.add(1000..1002, book(1000..1002))).count();
    assert_eq!((rest, frames.add(2000..2002, &mut [])), (10, false));
}

#[test]
fn bitmap_zones_follow_one_another() {
    static FRAMES: Bitmap = Bitmap::new();
    zones_follow_one_another(&FRAMES);
}

#[test]
fn buddy_zones_follow_one_another() {
    static FRAMES: Buddy = Buddy::new();
    zones_follow_one_another(&FRAMES);
}
