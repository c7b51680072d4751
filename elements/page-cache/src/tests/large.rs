//! What is read past the pages, and what is read around one.

use super::*;
use vfs::Sink;

/// Bytes that are enough to be read past the pages.
const LARGE: usize = 1 << 20;

fn straight(file: &Contents, offset: u64, length: usize) -> Vec<u8> {
    let mut bytes = vec![0xee; length];
    let count = file.read_at(offset, &mut SliceSink::new(&mut bytes)).unwrap();
    bytes.truncate(count);
    bytes
}

#[test]
fn a_large_piece_is_read_without_pages() {
    let (pool, _) = pool(usize::MAX);
    let bytes = sample(LARGE + 5000);
    let (disk, file) = file(pool, &bytes);
    assert!(straight(&file, 0, LARGE) == bytes[..LARGE]);
    assert_eq!((disk.reads.load(Relaxed), file.resident()), (1, 0));
    // The rest is small, and an offset that is no page's is not for it.
    assert!(straight(&file, LARGE as u64, LARGE) == bytes[LARGE..]);
    assert!(straight(&file, 100, LARGE) == bytes[100..LARGE + 100]);
    assert!(file.resident() > 0);
    // A server that brings less is asked again.
    disk.most.store(300 << 10, Relaxed);
    let (_, other) = (disk.reads.swap(0, Relaxed), Contents::new(pool, disk.clone(), disk.stamp(0)));
    assert!(straight(&other, 0, LARGE) == bytes[..LARGE]);
    assert!(disk.reads.load(Relaxed) >= 4);
}

#[test]
fn pages_that_are_here_count_also_in_a_large_piece() {
    let (pool, _) = pool(usize::MAX);
    let mut bytes = sample(4 * LARGE);
    let (_, file) = file(pool, &bytes);
    let space = Space::of(&file);
    // Stored, and not at the disk yet.
    for at in [3 * 4096 + 7, 2 * LARGE + 9, 4 * LARGE - 1] {
        space.store(&file, at as u64, 0x55);
        bytes[at] = 0x55;
    }
    assert!(straight(&file, 0, 4 * LARGE) == bytes);
    write(&file, LARGE as u64, b"new").unwrap();
    bytes[LARGE..LARGE + 3].copy_from_slice(b"new");
    assert!(straight(&file, 0, 4 * LARGE) == bytes);
}

/// Memory that cannot be lent while a page of the file is brought in by the very try.
struct Touching<'a>(&'a Contents, Vec<u8>, usize);

impl Sink for Touching<'_> {
    fn room(&self) -> usize {
        self.2 - self.1.len()
    }

    fn put(&mut self, bytes: &[u8]) -> usize {
        let count = bytes.len().min(self.room());
        self.1.extend_from_slice(&bytes[..count]);
        count
    }

    fn put_zeros(&mut self, count: usize) -> usize {
        self.put(&vec![0; count])
    }

    fn lend(&mut self, count: usize, fill: &mut dyn FnMut(&mut [&mut [u8]]) -> usize) {
        let page = self.0.page(9, true).unwrap();
        page.change(|bytes| bytes[0] = 0x77);
        let mut places = vec![0; count.min(self.room())];
        let filled = fill(&mut [&mut places[..]]);
        self.1.extend_from_slice(&places[..filled]);
    }
}

#[test]
fn a_page_that_comes_while_memory_is_lent_counts() {
    let (pool, _) = pool(usize::MAX);
    let mut bytes = sample(LARGE);
    let (_, file) = file(pool, &bytes);
    let mut sink = Touching(&file, Vec::new(), LARGE);
    assert_eq!(file.read_at(0, &mut sink), Ok(LARGE));
    bytes[9 * 4096] = 0x77;
    assert!(sink.1 == bytes);
}

#[test]
fn what_a_mapping_touches_comes_with_its_neighbours() {
    let (pool, room) = pool(1 << 20);
    let (disk, file) = file(pool, &sample(LARGE));
    file.page(100, false).unwrap();
    assert_eq!((disk.reads.load(Relaxed), file.resident()), (1, 32));
    for number in 96..128 {
        file.page(number, false).unwrap();
    }
    assert_eq!(disk.reads.load(Relaxed), 1);
    // Only what is not here yet.
    assert!(read(&file, 140 * 4096, 4096) == sample(LARGE)[140 * 4096..141 * 4096]);
    let resident = file.resident();
    file.expect(150);
    assert_eq!((disk.reads.load(Relaxed), file.resident() - resident), (3, 19));
    // The last ones, and nothing behind them.
    file.expect(255);
    file.expect(256);
    file.expect(u64::MAX);
    assert_eq!((disk.reads.load(Relaxed), file.resident() - resident), (4, 51));
    // Where memory is scarce, one is enough.
    room.1.store(1 << 20, Relaxed);
    file.page(10, false).unwrap();
    assert!(!file.state.lock().table.has(11));
}
