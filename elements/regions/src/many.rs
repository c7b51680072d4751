//! What many regions cost: steps are counted, up to as many regions as Linux lets a process have.

extern crate std;

use std::vec::Vec;

use machine::{Larger, PAGE_SIZE, Protection, Source};

use crate::{Keep, Many, Region, RegionKind};

type Regions = crate::Regions;

const MOST: usize = if cfg!(miri) { 500 } else { 65_530 };

fn region(page: usize, pages: usize, write: bool) -> Region {
    Region {
        start: page * PAGE_SIZE,
        end: (page + pages) * PAGE_SIZE,
        protection: Protection { read: true, write, execute: false },
        source: Source::Zero,
        kind: RegionKind::Data,
        file: None,
        offset: 0,
        grows_down: false,
        larger: Larger::IfPlenty,
        locked: false,
        sealed: false,
    }
}

fn shuffled(count: usize) -> Vec<usize> {
    let mut numbers: Vec<usize> = (0..count).collect();
    let mut state = 11_u64;
    for index in (1..count).rev() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        numbers.swap(index, (state >> 33) as usize % (index + 1));
    }
    numbers
}

/// Has `work` make a set of `count` regions, and holds its steps to 48 times `count` times its logarithm. A list takes
/// a thousand times as many for the most.
fn is_counted(name: &str, work: impl Fn(&mut Regions, usize)) {
    let (mut set, count) = (Regions::with_capacity(0), MOST);
    work(&mut set, count);
    let most = 48 * count * count.ilog2() as usize;
    assert!(set.steps.get() <= most, "{name}: {} steps for {count}, at most {most}", set.steps.get());
}

/// Every second page of one region is protected, in this order.
fn alternate(set: &mut Regions, pages: &[usize]) {
    assert!(set.insert(region(16, 2 * pages.len(), true)));
    for page in pages {
        let start = (16 + 2 * page) * PAGE_SIZE;
        set.protect(&(start..start + PAGE_SIZE), Protection { read: true, ..Protection::default() });
    }
    assert_eq!(set.count(), 2 * pages.len());
}

#[test]
fn alternating_protections() {
    is_counted("upwards", |set, count| alternate(set, &(0..count / 2).collect::<Vec<_>>()));
    is_counted("downwards", |set, count| alternate(set, &(0..count / 2).rev().collect::<Vec<_>>()));
    is_counted("at random", |set, count| alternate(set, &shuffled(count / 2)));
    is_counted("and back", |set, count| {
        alternate(set, &shuffled(count / 2));
        set.protect(&(0..usize::MAX), Protection { read: true, ..Protection::default() });
        assert_eq!(set.count(), 1);
    });
}

#[test]
fn maps_without_gaps_between() {
    is_counted("maps", |set, count| {
        let window = PAGE_SIZE..1 << 46;
        for number in 0..count {
            let at = set.highest_gap(PAGE_SIZE, window.clone()).expect("room") / PAGE_SIZE;
            // Neighbours differ, as those of one file do.
            assert!(set.insert(region(at, 1, number % 2 == 0)));
        }
        assert_eq!(set.count(), count);
        for page in shuffled(count) {
            let end = (1 << 46) - page * PAGE_SIZE;
            set.remove(&(end - PAGE_SIZE..end), &mut |_, _| ());
        }
        assert_eq!(set.count(), 0);
    });
}

#[test]
fn gaps_that_are_all_too_narrow() {
    is_counted("gaps", |set, count| {
        let window = 16 * PAGE_SIZE..(16 + 4 * (count / 2)) * PAGE_SIZE;
        for number in 0..count / 2 {
            assert!(set.insert(region(16 + 4 * number, 2, true)));
        }
        for _ in 0..count / 2 {
            assert_eq!(set.highest_gap(3 * PAGE_SIZE, window.clone()), None);
            let at = set.highest_gap(PAGE_SIZE, window.clone()).expect("room") / PAGE_SIZE;
            assert!(set.insert(region(at, 1, false)));
        }
        assert!(set.count() > count / 2);
    });
}

#[test]
fn all_at_once() {
    is_counted("emptied", |set, count| {
        alternate(set, &shuffled(count / 2));
        set.remove(&(0..usize::MAX), &mut |_, _| ());
        assert_eq!(set.count(), 0);
    });
}

struct Few;

impl Keep for Few {
    fn many() -> bool {
        false
    }
}

#[test]
fn gaps_agree_with_a_look_at_each() {
    agrees::<Many>(4_000, 4_000);
    agrees::<Few>(200, 1_000);
}

fn agrees<K: Keep>(pages: usize, steps: usize) {
    let mut state = 5_u64;
    let mut random = move |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) as usize % below
    };
    let all = pages;
    let mut set = crate::Regions::<K>::with_capacity(0);
    for step in 0..if cfg!(miri) { 300 } else { steps } {
        let (page, pages) = (1 + random(all), 1 + random(4));
        if random(1_000) == 0 {
            set.remove(&(page * PAGE_SIZE..(page + 600) * PAGE_SIZE), &mut |_, _| ());
        } else if random(3) == 0 {
            set.remove(&(page * PAGE_SIZE..(page + pages) * PAGE_SIZE), &mut |_, _| ());
        } else {
            set.insert(Region { grows_down: random(2_000) == 0, ..region(page, pages, random(2) == 0) });
        }
        let low = random(all);
        let window = low * PAGE_SIZE..(low + random(all)) * PAGE_SIZE;
        let length = (1 + random(12)) * PAGE_SIZE;
        assert_eq!(set.highest_gap(length, window.clone()), slow(&set, length, window.clone()), "{step}: {window:?}");
        assert_eq!(set.iter().count(), set.count());
    }
}

/// The highest gap, found by a look at each region.
fn slow<K: Keep>(set: &crate::Regions<K>, length: usize, window: core::ops::Range<usize>) -> Option<usize> {
    let mut ceilings: Vec<(usize, usize)> = Vec::new();
    let mut end = 0;
    for region in set.iter() {
        ceilings.push((end, region.guarded_start()));
        end = region.end;
    }
    ceilings.push((end, usize::MAX));
    let fits = |&(floor, ceiling): &(usize, usize)| {
        let (floor, ceiling) = (floor.max(window.start), ceiling.min(window.end));
        (ceiling.saturating_sub(floor) >= length).then(|| ceiling - length)
    };
    ceilings.iter().rev().find_map(fits)
}
