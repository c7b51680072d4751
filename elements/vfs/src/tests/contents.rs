//! Contents of files, compared with a plain vector.

use unfilled::Unfilled;

use super::*;

struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }
}

fn archived(bytes: &[u8]) -> Arc<dyn Node> {
    let mut archive = Vec::new();
    let mode = archive::REGULAR | 0o644;
    let head = archive::Head { name: b"f", mode, size: bytes.len() as u64, ..archive::Head::default() };
    head.write(0, &mut |part| archive.extend_from_slice(part)).unwrap();
    archive.extend_from_slice(bytes);
    archive.resize(archive.len() + head.padding(), 0);
    archive::trailer(archive.len() as u64, &mut |part| archive.extend_from_slice(part));
    let (ramfs, unpacked) = Ramfs::from_archive(1, world(usize::MAX), archive.leak());
    assert_eq!(unpacked, ramfs::Unpacked::default());
    ramfs.root().lookup(b"f").unwrap()
}

#[test]
fn a_file_behaves_like_a_vector() {
    let first: Vec<u8> = (0..20_000_u32).map(|number| (number % 251) as u8 + 1).collect();
    for (node, mut model) in
        [(archived(&first), first.clone()), (empty().nameless(0o600, Owner::default()), Vec::new())]
    {
        let mut random = Random(7);
        for step in 0..if cfg!(miri) { 20 } else { 4000 } {
            let offset = random.below(600_000);
            let length = random.below(9000);
            match random.below(8) {
                0 => {
                    node.set_length(offset as u64).unwrap();
                    model.resize(offset, 0);
                }
                1 => {
                    node.erase(offset as u64, length as u64).unwrap();
                    let end = (offset + length).min(model.len());
                    model[offset.min(end)..end].fill(0);
                }
                2 | 3 => {
                    let bytes: Vec<u8> = (0..length).map(|index| (index * 7 + step) as u8).collect();
                    assert_eq!(write(&node, offset as u64, &bytes), Ok(length));
                    if length > 0 {
                        model.resize(model.len().max(offset + length), 0);
                        model[offset..offset + length].copy_from_slice(&bytes);
                    }
                }
                _ => {
                    let expected = model.get(offset..).unwrap_or_default();
                    assert_eq!(read(&node, offset as u64, length), expected[..length.min(expected.len())]);
                }
            }
            assert_eq!(node.metadata().size, model.len() as u64);
        }
    }
}

#[test]
fn contents_stay_in_place_until_they_change() {
    let node = archived(&[9; 5000]);
    assert_eq!(node.in_place(), Some(InPlace { offset: 4096, length: 5000 }));
    assert_eq!(node.metadata().occupied, 8192);
    write(&node, 4990, b"x").unwrap();
    assert_eq!(node.in_place(), None);
    assert_eq!(read(&node, 4988, 9), [9, 9, b'x', 9, 9, 9, 9, 9, 9]);
    assert_eq!(archived(&[]).in_place(), None);
}

#[test]
fn holes_take_no_room_and_files_end_somewhere() {
    let node = empty().nameless(0o600, Owner::default());
    let far = i64::MAX as u64 - 10;
    assert_eq!(write(&node, far, &[1; 20]), Ok(10));
    assert_eq!(node.metadata().size, i64::MAX as u64);
    assert_eq!(node.metadata().occupied, 4096);
    assert_eq!(write(&node, i64::MAX as u64, b"x"), Err(FileError::TooLarge));
    assert_eq!(write(&node, u64::MAX, b"x"), Err(FileError::TooLarge));
    assert_eq!(node.set_length(u64::MAX), Err(FileError::TooLarge));
    assert_eq!(read(&node, 1 << 40, 3), [0; 3]);
    assert_eq!(read(&node, u64::MAX, 3), []);
    node.erase(1, u64::MAX).unwrap();
    assert_eq!(read(&node, far, 20), [0; 10]);
}

#[test]
fn full_memory_writes_what_fits() {
    let node = Ramfs::new(1, world(3 * 4096), 0o755).nameless(0o600, Owner::default());
    assert_eq!(write(&node, 0, &[1; 5 * 4096]), Ok(3 * 4096));
    assert_eq!(write(&node, 5 * 4096, b"x"), Err(FileError::NoSpace));
    assert_eq!(write(&node, 0, b"x"), Ok(1));
}

/// Gives some bytes and then fails, as an application's memory may.
struct Faulty(usize);

impl Source for Faulty {
    fn left(&self) -> usize {
        self.0 * 1000
    }

    fn fill(&mut self, to: &mut Unfilled<'_>, most: usize) {
        let count = most.min(self.0).min(to.room());
        self.0 -= to.put(&alloc::vec![5; count]);
    }

    fn give_back(&mut self, count: usize) {
        self.0 += count;
    }

    fn skip(&mut self) -> usize {
        core::mem::take(&mut self.0)
    }
}

#[test]
fn a_source_that_fails_has_written_what_it_gave() {
    let node = empty().nameless(0o600, Owner::default());
    assert_eq!(node.write_at(0, &mut Faulty(5000)), Ok(5000));
    assert_eq!(node.metadata().size, 5000);
    assert_eq!(node.append(&mut SliceSource::new(b"end")), Ok((3, 5003)));
}

#[test]
fn bytes_come_behind_those_there_are() {
    let data: alloc::vec::Vec<u8> = (0..20_000u32).map(|number| number as u8).collect();
    let mut bytes = alloc::vec![7];
    let mut source = SliceSource::new(&data);
    assert_eq!((source.append(&mut bytes, 8192), source.left()), (8192, 20_000 - 8192));
    source.give_back(92);
    assert_eq!(source.append(&mut bytes, usize::MAX), 20_000 - 8100);
    assert_eq!((&bytes[1..8193], &bytes[8193..]), (&data[..8192], &data[8100..]));
    // Piece by piece from one that does not say how; and it fails in the midst of one.
    let mut bytes = alloc::vec![7];
    assert_eq!((Faulty(5000).append(&mut bytes, 4999), bytes.len()), (4999, 5000));
    assert_eq!((Faulty(5000).append(&mut bytes, 9000), bytes.len()), (5000, 10_000));
    assert_eq!((Faulty(8192).append(&mut bytes, 9000), bytes.len()), (8192, 18_192));
    assert!(bytes[1..].iter().all(|byte| *byte == 5));
}

#[test]
fn a_run_is_what_lies_in_memory_one_behind_the_other() {
    const PAGE: u64 = pages::SIZE as u64;
    let node = empty().nameless(0o600, Owner::default());
    node.set_length(20 * PAGE).unwrap();
    write(&node, 0, &[7; 4 * pages::SIZE]).unwrap();
    write(&node, 6 * PAGE, b"alone").unwrap();
    let file = node.pages().unwrap();
    let address = |number| file.page_here(number, false).unwrap().unwrap().address();
    let from = address(0);
    let follow = (0..4).take_while(|&number| address(number) == from + number as usize * pages::SIZE).count();
    assert_eq!((file.run(0, from, 100), file.run(0, from, 1), file.run(0, from + 1, 100)), (follow, 1, 0));
    assert_eq!(file.run(6, address(6), 100), 1);
    // A hole stays one, and there is nothing behind the end.
    assert_eq!((file.run(5, from, 100), file.run(20, from, 100), file.run(u64::MAX, from, 1)), (0, 0, 0));
    assert_eq!((node.next_part(4 * PAGE, true), node.next_part(4 * PAGE, false)), (Some(4 * PAGE), Some(6 * PAGE)));
}
