//! Tests over tables in a map.

extern crate std;

use std::{boxed::Box, vec, vec::Vec};

use crate::{Entry, MapError, Near, PageSize, TableMemory, Tables};

const ROOT: usize = 0x1000;
const FLAGS: u64 = Entry::PRESENT | Entry::WRITABLE | Entry::NO_EXECUTE;

/// Table frames with a limit, the one of number N at N - 1: found without a search, which Miri would take long for.
struct Frames {
    tables: Vec<Option<Box<[Entry; 512]>>>,
    limit: usize,
}

impl Frames {
    fn new(limit: usize) -> Self {
        Self { tables: vec![Some(Box::new([Entry::EMPTY; 512]))], limit }
    }

    fn held(&self) -> usize {
        self.tables.iter().flatten().count()
    }

    fn place(table: usize) -> usize {
        table / ROOT - 1
    }
}

impl TableMemory for Frames {
    fn allocate(&mut self) -> Option<usize> {
        if self.held() == self.limit {
            return None;
        }
        self.tables.push(Some(Box::new([Entry::EMPTY; 512])));
        Some(self.tables.len() * ROOT)
    }

    fn free(&mut self, table: usize) {
        let entries = self.tables[Self::place(table)].take().expect("a table is freed once");
        // Emptied entries are written after the call that frees their table only one level up.
        assert!(entries.iter().all(|entry| entry.is_empty()), "only empty tables are freed");
    }

    fn read(&self, table: usize, index: usize) -> Entry {
        self.tables[Self::place(table)].as_ref().unwrap()[index]
    }

    fn write(&mut self, table: usize, index: usize, entry: Entry) {
        self.tables[Self::place(table)].as_mut().unwrap()[index] = entry;
    }
}

fn page(number: usize) -> Entry {
    Entry::new(number * 4096, FLAGS)
}

fn leaves(frames: &mut Frames) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    Tables::new(frames, ROOT).inspect(&mut |leaf| found.push((leaf.address, leaf.physical / 4096)));
    found
}

#[test]
fn pages_are_found_where_they_were_mapped() {
    let mut frames = Frames::new(100);
    let mut tables = Tables::new(&mut frames, ROOT);
    for (number, address) in
        [0x40_0000, 0x7fff_ffff_e000, 0xffff_8000_0000_1000, usize::MAX - 4095].into_iter().enumerate()
    {
        assert_eq!(tables.map(address, PageSize::Small, page(number + 1)), Ok(Entry::EMPTY));
        assert_eq!(tables.find(address), Some((page(number + 1), PageSize::Small)));
    }
    assert_eq!(tables.find(0x40_1000), None);
    assert_eq!(tables.map(0x40_0000, PageSize::Small, page(9)), Ok(page(1)));
    let expected = [(0x40_0000, 9), (0x7fff_ffff_e000, 2), (0xffff_8000_0000_1000, 3), (usize::MAX - 4095, 4)];
    assert_eq!(leaves(&mut frames), expected);
}

#[test]
fn large_pages_stand_in_the_way_of_small_ones() {
    let mut frames = Frames::new(100);
    let mut tables = Tables::new(&mut frames, ROOT);
    let large = Entry::new(0x20_0000, FLAGS | Entry::LARGE);
    tables.map(0xffff_8000_0020_0000, PageSize::Large, large).unwrap();
    assert_eq!(tables.find(0xffff_8000_0020_3000), Some((large, PageSize::Large)));
    assert_eq!(tables.map(0xffff_8000_0020_3000, PageSize::Small, page(1)), Err(MapError::InTheWay));
    let huge = Entry::new(0x4000_0000, FLAGS | Entry::LARGE);
    tables.map(0xffff_8000_4000_0000, PageSize::Huge, huge).unwrap();
    assert_eq!(tables.find(0xffff_8000_7fff_f000), Some((huge, PageSize::Huge)));
}

#[test]
fn rights_hold_only_if_every_level_gives_them() {
    let mut frames = Frames::new(100);
    let mut tables = Tables::new(&mut frames, ROOT);
    tables.map(0x1000, PageSize::Small, Entry::new(0x5000, Entry::PRESENT | Entry::USER)).unwrap();
    tables.map(0xffff_ffff_8000_0000, PageSize::Small, Entry::new(0x6000, Entry::PRESENT | Entry::USER)).unwrap();
    tables.map(0x3000, PageSize::Small, Entry::new(0x7000, Entry::WRITABLE)).unwrap();
    let mut found = Vec::new();
    tables.inspect(&mut |leaf| found.push((leaf.writable, leaf.executable, leaf.user)));
    assert_eq!(found, [(false, true, true), (false, true, false)]);
}

#[test]
fn empty_tables_go_back() {
    let mut frames = Frames::new(100);
    let mut tables = Tables::new(&mut frames, ROOT);
    let range = 0x3f_f000..0x8000_2000;
    let addresses = [0x3f_f000, 0x40_0000, 0x40_1000, 0x4000_0000, 0x8000_0000, 0x8000_1000];
    for (number, &address) in addresses.iter().enumerate() {
        tables.map(address, PageSize::Small, page(number)).unwrap();
    }
    let mut seen = Vec::new();
    tables.change(range.clone(), false, |_, address, entry, _| {
        seen.push(address);
        Some(Entry(entry.0 & !Entry::WRITABLE))
    });
    assert_eq!(seen, addresses);
    tables.change(0x40_0000..0x40_1000, false, |_, _, _, _| Some(Entry::EMPTY));
    assert_eq!(tables.find(0x40_0000), None);
    tables.change(0..0x8000_1000, false, |_, _, _, _| Some(Entry::EMPTY));
    assert_eq!(leaves(&mut frames), [(0x8000_1000, 5)]);
    assert_eq!(frames.held(), 4);
    Tables::new(&mut frames, ROOT).change(0..1 << 47, false, |_, _, _, _| Some(Entry::EMPTY));
    assert_eq!(frames.held(), 1);
}

#[test]
fn leaves_far_apart_are_all_met() {
    let mut frames = Frames::new(100);
    let mut tables = Tables::new(&mut frames, ROOT);
    let top = usize::MAX - 0xfff;
    let lower = [0x1000, (1 << 30) - 4096, 1 << 30, 1 << 39, (200 << 39) + (511 << 30), (1 << 47) - 4096];
    for &address in lower.iter().chain(&[top - (3 << 30), top]) {
        tables.map(address, PageSize::Small, page(7)).unwrap();
    }
    let mut met = |range| {
        let mut seen = Vec::new();
        tables.change(range, true, |_, address, entry, _| {
            seen.push(address);
            Some(entry)
        });
        seen
    };
    assert_eq!(met(0..1 << 47), lower);
    assert_eq!(met(0x2000..(200 << 39) + (511 << 30)), lower[1..4]);
    assert_eq!(met((1 << 39) + 4096..(200 << 39) + (511 << 30) + 4096), lower[4..5]);
    // The last page of all has no address behind it.
    assert_eq!(met(usize::MAX << 47..top), [top - (3 << 30)]);
}

#[test]
fn a_full_table_counts_right() {
    let mut frames = Frames::new(100);
    let mut tables = Tables::new(&mut frames, ROOT);
    for number in 0..512 {
        tables.map(number * 4096, PageSize::Small, page(number + 1)).unwrap();
    }
    tables.change(0..511 * 4096, false, |_, _, _, _| Some(Entry::EMPTY));
    assert!(tables.find(511 * 4096).is_some());
    tables.change(0..512 * 4096, false, |_, _, _, _| Some(Entry::EMPTY));
    assert_eq!(frames.held(), 1);
}

#[test]
fn moving_keeps_pages_and_order() {
    let mut frames = Frames::new(100);
    let mut tables = Tables::new(&mut frames, ROOT);
    let from = 0x1f_f000..0x80_0000;
    for (number, address) in [0x1f_f000, 0x20_0000, 0x7f_f000].into_iter().enumerate() {
        tables.map(address, PageSize::Small, page(number + 1)).unwrap();
    }
    tables.map(0x80_0000, PageSize::Small, page(4)).unwrap();
    tables.relocate(from, 0x7000_0000_1000).unwrap();
    let expected = [(0x80_0000, 4), (0x7000_0000_1000, 1), (0x7000_0000_2000, 2), (0x7000_0060_1000, 3)];
    assert_eq!(leaves(&mut frames), expected);
}

#[test]
fn a_move_without_memory_changes_nothing() {
    for limit in if cfg!(miri) { 9..11 } else { 7..12 } {
        let mut frames = Frames::new(limit);
        let mut tables = Tables::new(&mut frames, ROOT);
        for (number, address) in [0x1f_f000, 0x20_0000, 0x40_0000, 0x60_0000].into_iter().enumerate() {
            tables.map(address, PageSize::Small, page(number + 1)).unwrap();
        }
        let result = tables.relocate(0x1f_f000..0x80_0000, 0x7000_0000_0000);
        let first = leaves(&mut frames)[0];
        match result {
            Ok(()) => assert_eq!(first, (0x7000_0000_0000, 1)),
            Err(error) => {
                assert_eq!((error, first, frames.held()), (MapError::OutOfMemory, (0x1f_f000, 1), 7));
            }
        }
    }
}

#[test]
fn runs_cross_tables_and_count() {
    let mut frames = Frames::new(100);
    let mut tables = Tables::new(&mut frames, ROOT);
    tables.map(0x1f_d000, PageSize::Small, page(7)).unwrap();
    tables.map_run(0x1f_e000, PageSize::Small, page(1), 516).unwrap();
    assert_eq!(tables.find(0x1f_f000), Some((page(2), PageSize::Small)));
    assert_eq!(tables.find(0x40_1000), Some((page(516), PageSize::Small)));
    assert_eq!(tables.find(0x1f_d000), Some((page(7), PageSize::Small)));
    tables.change(0..0x40_2000, false, |_, _, _, _| Some(Entry::EMPTY));
    assert_eq!(frames.held(), 1);
}

#[test]
fn a_refused_update_leaves_no_table_behind() {
    let mut frames = Frames::new(100);
    let mut tables = Tables::new(&mut frames, ROOT);
    tables.map(0x1000, PageSize::Small, page(1)).unwrap();
    for address in [0x2000, 0x4000_0000, 0x7000_0000_0000] {
        let refused = tables.update(address, PageSize::Small, |_, before| {
            assert_eq!(before, Entry::EMPTY);
            Err(MapError::OutOfMemory)
        });
        assert_eq!(refused, Err(MapError::OutOfMemory));
    }
    assert_eq!(leaves(&mut frames), [(0x1000, 1)]);
    assert_eq!(frames.held(), 4);
}

const LARGE: u64 = FLAGS | Entry::LARGE;

#[test]
fn a_large_page_is_split_where_a_part_of_it_changes() {
    let mut frames = Frames::new(100);
    let mut tables = Tables::new(&mut frames, ROOT);
    tables.map(0x40_0000, PageSize::Large, Entry::new(0x80_0000, LARGE)).unwrap();
    tables.map(0x60_0000, PageSize::Small, page(3)).unwrap();
    assert_eq!(tables.change(0x40_0000..0x50_0000, false, |_, _, _, _| unreachable!("partly covered")), None);
    let table = tables.memory.allocate().unwrap();
    assert_eq!(tables.split(0x60_0000, table), Err(MapError::InTheWay));
    assert_eq!(tables.split(0x4000_0000, table), Err(MapError::InTheWay));
    tables.split(0x44_5678, table).unwrap();
    assert_eq!(tables.find(0x40_0000), Some((Entry::new(0x80_0000, FLAGS), PageSize::Small)));
    assert_eq!(tables.find(0x5f_f000), Some((Entry::new(0x9f_f000, FLAGS), PageSize::Small)));
    tables.change(0x40_0000..0x5f_f000, false, |_, _, _, _| Some(Entry::EMPTY));
    assert_eq!(leaves(&mut frames), [(0x5f_f000, 0x9ff), (0x60_0000, 3)]);
    Tables::new(&mut frames, ROOT).change(0..1 << 47, false, |_, _, _, _| Some(Entry::EMPTY));
    assert_eq!(frames.held(), 1);
}

#[test]
fn a_large_page_goes_and_moves_as_one() {
    let mut frames = Frames::new(100);
    let mut tables = Tables::new(&mut frames, ROOT);
    tables.map(0x40_0000, PageSize::Large, Entry::new(0x80_0000, LARGE)).unwrap();
    tables.map(0x60_0000, PageSize::Small, page(3)).unwrap();
    assert_eq!(tables.next_leaf(0x50_0000..0x70_0000), Some((0x40_0000, PageSize::Large)));
    tables.relocate(0x40_0000..0x80_0000, 0x7000_0000_0000).unwrap();
    assert_eq!(tables.find(0x7000_0000_1000), Some((Entry::new(0x80_0000, LARGE), PageSize::Large)));
    assert_eq!(tables.find(0x7000_0020_0000), Some((page(3), PageSize::Small)));
    let mut seen = Vec::new();
    tables.change(0x7000_0000_0000..0x7000_0040_0000, false, |_, address, _, size| {
        seen.push((address, size));
        Some(Entry::EMPTY)
    });
    assert_eq!(seen, [(0x7000_0000_0000, PageSize::Large), (0x7000_0020_0000, PageSize::Small)]);
    assert_eq!(frames.held(), 1);
}

#[test]
fn work_stops_and_goes_on() {
    let mut frames = Frames::new(100);
    let mut tables = Tables::new(&mut frames, ROOT);
    let addresses = [0x1f_e000, 0x1f_f000, 0x20_0000, 0x4000_0000, 0x8000_0000_0000 - 0x1000];
    for (number, &address) in addresses.iter().enumerate() {
        tables.map(address, PageSize::Small, page(number)).unwrap();
    }
    let (mut next, mut seen) = (0, Vec::new());
    loop {
        let mut left = 2;
        let stopped = tables.change(next..1 << 47, false, |_, address, _, _| {
            left -= 1;
            (left >= 0).then(|| {
                seen.push(address);
                Entry::EMPTY
            })
        });
        let Some(address) = stopped else { break };
        next = address;
    }
    assert_eq!(seen, addresses);
    assert_eq!(frames.held(), 1);
}

#[test]
fn a_table_that_is_kept_serves_again_and_goes_when_asked() {
    let mut frames = Frames::new(100);
    let mut tables = Tables::new(&mut frames, ROOT);
    tables.map(0x1000, PageSize::Small, page(1)).unwrap();
    tables.map(0x7000_0000_0000, PageSize::Small, page(2)).unwrap();
    tables.change(0x7000_0000_0000..0x7000_0000_1000, true, |_, _, _, _| Some(Entry::EMPTY));
    assert_eq!((tables.find(0x7000_0000_0000), tables.memory().held()), (None, 7));
    tables.map(0x7000_0000_2000, PageSize::Small, page(2)).unwrap();
    tables.prune(0x7000_0000_0000);
    assert_eq!(tables.memory().held(), 7);
    tables.change(0x7000_0000_2000..0x7000_0000_3000, true, |_, _, _, _| Some(Entry::EMPTY));
    tables.prune(0x7000_0000_0000);
    assert_eq!(tables.memory().held(), 4);
    tables.prune(0x7000_0000_0000);
    assert_eq!(leaves(&mut frames), [(0x1000, 1)]);
}

#[test]
fn a_leaf_that_is_taken_leaves_its_table() {
    let mut frames = Frames::new(100);
    let mut tables = Tables::new(&mut frames, ROOT);
    tables.map(0x1000, PageSize::Small, page(1)).unwrap();
    tables.map(0x20_0000, PageSize::Large, Entry::new(0x20_0000, FLAGS | Entry::LARGE)).unwrap();
    assert_eq!(tables.take(0x20_0000), Err(MapError::InTheWay));
    assert_eq!((tables.take(0x2000), tables.take(0x4000_0000)), (Ok(Entry::EMPTY), Ok(Entry::EMPTY)));
    assert_eq!((tables.take(0x1000), tables.take(0x1000)), (Ok(page(1)), Ok(Entry::EMPTY)));
    assert_eq!((tables.find(0x1000), tables.memory().held()), (None, 4));
    // Its entries are still counted rightly.
    tables.map(0x1000, PageSize::Small, page(3)).unwrap();
    tables.change(0x1000..0x2000, true, |_, _, _, _| Some(Entry::EMPTY));
    tables.prune(0x1000);
    assert_eq!(tables.memory().held(), 3);
}

#[test]
fn a_range_that_looks_clear_is_so() {
    let mut frames = Frames::new(64);
    let mut tables = Tables::new(&mut frames, ROOT);
    const PAGE: usize = 4096;
    let stack = 0x7f00_0020_0000_usize;
    assert!(tables.is_clear(&(stack..stack + 800 * PAGE)));
    for number in [0, 3, 4] {
        tables.map(stack + (800 + number) * PAGE, PageSize::Small, page(7)).unwrap();
    }
    tables.map(stack + (2 << 21), PageSize::Large, Entry(page(512).0 | Entry::LARGE)).unwrap();
    // Right below the pages in use: it shows, from wherever the range begins, in this table or before it.
    for first in [0, 1, 511, 512, 513, 799] {
        assert!(tables.is_clear(&(stack + first * PAGE..stack + 800 * PAGE)), "{first}");
    }
    let used = |at: usize| (800..805).contains(&at) && ![801, 802].contains(&at) || (1024..1536).contains(&at);
    let (near, far) = if cfg!(miri) { (97, 397) } else { (7, 37) };
    let lengths = || (1..1600).step_by(far);
    for (first, count) in (0..1600).step_by(near).flat_map(|first| lengths().map(move |count| (first, count))) {
        let clear = tables.is_clear(&(stack + first * PAGE..stack + (first + count) * PAGE));
        assert!(!clear || !(first..first + count).any(used), "{first} {count}");
    }
}

#[test]
fn leaves_put_beside_each_other_are_as_mapped() {
    let mut frames = Frames::new(10);
    let mut near = Near::default();
    let addresses = [0x1000, 0x2000, 0x1f_f000, 0x20_0000, 0x3000, 0x4000_0000, 0x4000_1000];
    for (number, address) in addresses.into_iter().enumerate() {
        assert_eq!(Tables::new(&mut frames, ROOT).put(&mut near, address, page(number + 1)), Ok(()));
    }
    let mut tables = Tables::new(&mut frames, ROOT);
    assert_eq!(tables.put(&mut near, 0x4000_1000, page(9)), Err(MapError::InTheWay));
    assert_eq!(tables.put(&mut near, 0x2000, page(9)), Err(MapError::InTheWay));
    for (number, address) in addresses.into_iter().enumerate() {
        assert_eq!(tables.find(address), Some((page(number + 1), PageSize::Small)));
    }
    // The counts are right if all tables go back, and with none left nothing is put.
    assert_eq!(tables.change(0..1 << 47, false, |_, _, _, _| Some(Entry::EMPTY)), None);
    assert_eq!(frames.held(), 1);
    frames.limit = 2;
    let mut near = Near::default();
    assert_eq!(Tables::new(&mut frames, ROOT).put(&mut near, 0x1000, page(1)), Err(MapError::OutOfMemory));
    assert_eq!(frames.held(), 1);
    assert_eq!(Tables::new(&mut frames, ROOT).put(&mut near, 0x1000, page(1)), Err(MapError::OutOfMemory));
}
