//! The set against a model: one entry a page.

extern crate std;

use std::vec::Vec;

use machine::{LARGE_PAGE_SIZE, Larger, PAGE_SIZE, Protection, Source};

use crate::{Region, RegionKind, STACK_GAP};

type Regions = crate::Regions;

const PAGES: usize = 48;

fn region(first: usize, pages: usize, write: bool, archive: bool) -> Region {
    let source = if archive { Source::Archive { offset: first * PAGE_SIZE } } else { Source::Zero };
    Region {
        start: first * PAGE_SIZE,
        end: (first + pages) * PAGE_SIZE,
        protection: Protection { read: true, write, execute: false },
        source,
        kind: RegionKind::Data,
        file: None,
        offset: 0,
        grows_down: false,
        larger: Larger::IfPlenty,
        locked: false,
        sealed: false,
    }
}

/// What the model knows of a page: protection to write, and its source.
type Page = Option<(bool, Source)>;

fn pages_of(set: &Regions) -> Vec<Page> {
    (0..PAGES)
        .map(|page| set.find(page * PAGE_SIZE).map(|r| (r.protection.write, r.source_at(page * PAGE_SIZE))))
        .collect()
}

fn assert_in_order(set: &Regions) {
    let list: Vec<_> = set.iter().collect();
    for pair in list.windows(2) {
        assert!(pair[0].end <= pair[1].start, "overlap: {pair:?}");
        assert!(!pair[0].continues_in(pair[1]), "not joined: {pair:?}");
    }
    assert!(list.iter().all(|r| r.start < r.end));
}

#[test]
fn random_operations_agree_with_a_page_model() {
    let mut state = 7_u64;
    let mut random = move |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) as usize % below
    };
    let mut set = Regions::with_capacity(0);
    let mut model: Vec<Page> = std::vec![None; PAGES];
    for _ in 0..if cfg!(miri) { 50 } else { 20_000 } {
        let first = random(PAGES);
        let count = random(PAGES - first) + 1;
        let range = first * PAGE_SIZE..(first + count) * PAGE_SIZE;
        let model_range = first..first + count;
        assert_eq!(set.overlaps(&range), model[model_range.clone()].iter().any(Option::is_some));
        assert_eq!(set.covers(&range), model[model_range.clone()].iter().all(Option::is_some));
        let (write, archive) = (random(2) == 0, random(2) == 0);
        match random(3) {
            0 => {
                let free = model[model_range.clone()].iter().all(Option::is_none);
                let new = region(first, count, write, archive);
                assert_eq!(set.insert(new.clone()), free);
                if free {
                    for page in model_range {
                        model[page] = Some((write, new.source_at(page * PAGE_SIZE)));
                    }
                }
            }
            1 => {
                let mut taken = 0;
                set.remove(&range, &mut |_, part| taken += part.len());
                let expected = model[model_range.clone()].iter().filter(|page| page.is_some()).count();
                assert_eq!(taken, expected * PAGE_SIZE);
                model[model_range].fill(None);
            }
            _ => {
                set.protect(&range, Protection { read: true, write, execute: false });
                for page in model[model_range].iter_mut().flatten() {
                    page.0 = write;
                }
            }
        }
        assert_eq!(pages_of(&set), model);
        assert_in_order(&set);
    }
}

#[test]
fn the_highest_gap_is_found() {
    let mut set = Regions::with_capacity(0);
    let window = PAGE_SIZE..20 * PAGE_SIZE;
    assert_eq!(set.highest_gap(PAGE_SIZE, window.clone()), Some(19 * PAGE_SIZE));
    assert!(set.insert(region(18, 2, true, false)));
    assert_eq!(set.highest_gap(PAGE_SIZE, window.clone()), Some(17 * PAGE_SIZE));
    assert!(set.insert(region(10, 6, true, true)));
    assert_eq!(set.highest_gap(2 * PAGE_SIZE, window.clone()), Some(16 * PAGE_SIZE));
    assert_eq!(set.highest_gap(3 * PAGE_SIZE, window.clone()), Some(7 * PAGE_SIZE));
    assert_eq!(set.highest_gap(9 * PAGE_SIZE, window.clone()), Some(PAGE_SIZE));
    assert_eq!(set.highest_gap(10 * PAGE_SIZE, window), None);
    assert_eq!(set.highest_gap(PAGE_SIZE, 5 * PAGE_SIZE..5 * PAGE_SIZE), None);
}

#[test]
fn the_gap_below_a_stack_stays_free() {
    let gap = STACK_GAP / PAGE_SIZE;
    let mut set = Regions::with_capacity(0);
    let stack = Region { grows_down: true, ..region(2 * gap, 4, true, false) };
    assert!(set.insert(stack));
    let window = PAGE_SIZE..(2 * gap + 4) * PAGE_SIZE;
    assert_eq!(set.highest_gap(PAGE_SIZE, window.clone()), Some((gap - 1) * PAGE_SIZE));
    assert_eq!(set.highest_gap(gap * PAGE_SIZE, window), None);
    assert!(set.is_free(&((gap - 1) * PAGE_SIZE..gap * PAGE_SIZE)));
    assert!(!set.is_free(&(gap * PAGE_SIZE..(gap + 1) * PAGE_SIZE)));
    assert!(set.is_free(&((2 * gap + 4) * PAGE_SIZE..(2 * gap + 5) * PAGE_SIZE)));
    assert_eq!(set.last_below(2 * gap * PAGE_SIZE), None);
    assert_eq!(set.last_below((2 * gap + 4) * PAGE_SIZE).map(|region| region.start), Some(2 * gap * PAGE_SIZE));
}

#[test]
fn larger_pages_lie_wholly_in_a_region_of_zeros() {
    let pages = LARGE_PAGE_SIZE / PAGE_SIZE;
    let zeros = region(pages - 1, 2 * pages, true, false);
    let at = |page: usize| zeros.larger_at(page * PAGE_SIZE);
    assert_eq!(
        [pages - 1, pages, 2 * pages - 1, 2 * pages].map(at),
        [Larger::No, Larger::IfPlenty, Larger::IfPlenty, Larger::No]
    );
    assert_eq!(region(0, pages, true, true).larger_at(0), Larger::No);
    assert_eq!(region(0, pages - 1, true, false).larger_at(0), Larger::No);
}

#[test]
fn wishes_split_regions_and_equal_ones_join_again() {
    let mut set = Regions::with_capacity(0);
    assert!(set.insert(region(0, 8, true, false)));
    set.change(&(2 * PAGE_SIZE..4 * PAGE_SIZE), &mut |region| region.larger = Larger::Wished);
    assert_eq!(set.iter().map(|region| region.length() / PAGE_SIZE).collect::<Vec<_>>(), [2, 2, 4]);
    set.change(&(0..8 * PAGE_SIZE), &mut |region| region.larger = Larger::No);
    assert_eq!(set.iter().count(), 1);
}
