//! The cache over a file in memory that reads and writes short, and against a plain vector.

extern crate std;

mod large;
mod slow;

use std::{
    boxed::Box,
    num::NonZeroUsize,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed},
    },
    vec,
    vec::Vec,
};

use pages::Allocator;
use sync::Mutex;

use super::*;
use vfs::{FileError, FilePages, Mappings, ShortSink, Shows, SliceSink, SliceSource, VecSink};

/// The file as its owner sees it.
#[derive(Default)]
struct Disk {
    bytes: Mutex<Vec<u8>>,
    reads: AtomicUsize,
    /// Most bytes of one request; 0 for any number.
    most: AtomicUsize,
    full: AtomicBool,
}

impl Disk {
    fn most(&self, count: usize) -> usize {
        match self.most.load(Relaxed) {
            0 => count,
            most => count.min(most),
        }
    }

    fn bytes(&self) -> Vec<u8> {
        self.bytes.lock().clone()
    }

    fn stamp(&self, version: u64) -> Stamp {
        Stamp { length: self.bytes.lock().len() as u64, modified: 0, version }
    }
}

impl Backing for Disk {
    fn read(&self, offset: u64, parts: &mut [&mut [u8]]) -> Result<usize, FileError> {
        sync::might_sleep();
        self.reads.fetch_add(1, Relaxed);
        let bytes = self.bytes.lock();
        let rest = bytes.get(offset as usize..).unwrap_or_default();
        let mut rest = &rest[..self.most(rest.len())];
        let mut total = 0;
        for part in parts {
            let count = part.len().min(rest.len());
            part[..count].copy_from_slice(&rest[..count]);
            rest = &rest[count..];
            total += count;
        }
        Ok(total)
    }

    fn write(&self, offset: u64, new: &[u8]) -> Result<usize, FileError> {
        sync::might_sleep();
        if self.full.load(Relaxed) {
            return Err(FileError::NoSpace);
        }
        let (count, offset) = (self.most(new.len()), offset as usize);
        let mut bytes = self.bytes.lock();
        let length = bytes.len().max(offset + count);
        bytes.resize(length, 0);
        bytes[offset..offset + count].copy_from_slice(&new[..count]);
        Ok(count)
    }

    fn length(&self) -> Result<u64, FileError> {
        sync::might_sleep();
        Ok(self.bytes.lock().len() as u64)
    }

    fn set_length(&self, length: u64) -> Result<(), FileError> {
        sync::might_sleep();
        self.bytes.lock().resize(length as usize, 0);
        Ok(())
    }

    fn sync(&self, _metadata: bool) -> Result<(), FileError> {
        Ok(())
    }
}

/// Memory of so many bytes.
struct Limited(usize, AtomicUsize);

impl Room for Limited {
    fn has_room(&self, bytes: usize) -> bool {
        // What the tests say is in use.
        self.1.load(Relaxed) + bytes <= self.0
    }
}

fn pool(bytes: usize) -> (&'static Pool, &'static Limited) {
    let room = Box::leak(Box::new(Limited(bytes, AtomicUsize::new(0))));
    (Box::leak(Box::new(Pool::new(&Allocator, room))), room)
}

fn file(pool: &'static Pool, bytes: &[u8]) -> (Arc<Disk>, Arc<Contents>) {
    let disk = Arc::new(Disk::default());
    *disk.bytes.lock() = bytes.to_vec();
    let contents = Contents::new(pool, disk.clone(), disk.stamp(0));
    (disk, contents)
}

fn sample(length: usize) -> Vec<u8> {
    (0..length).map(|at| (at / 4096 * 7 + at) as u8).collect()
}

fn read(file: &Contents, offset: u64, length: usize) -> Vec<u8> {
    let mut sink = VecSink::new(length);
    assert_eq!(file.read_at(offset, &mut sink), Ok(sink.bytes.len()));
    sink.bytes
}

fn write(file: &Contents, offset: u64, bytes: &[u8]) -> Result<usize, FileError> {
    file.write_at(offset, &mut SliceSource::new(bytes))
}

struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

#[test]
fn reading_in_order_reads_ahead() {
    let (pool, _) = pool(usize::MAX);
    let bytes = sample(4 << 20);
    let (disk, file) = file(pool, &bytes);
    let mut whole = Vec::new();
    while let piece = read(&file, whole.len() as u64, 4096)
        && !piece.is_empty()
    {
        whole.extend(piece);
    }
    assert!(whole == bytes);
    // 8, 16, 32, 64, then 124 pages each time.
    let expected = 4 + (1024_usize - 120).div_ceil(124);
    assert_eq!((disk.reads.load(Relaxed), file.resident()), (expected, 1024));
    // All of it is here now.
    assert!(read(&file, 0, usize::MAX) == bytes);
    assert_eq!(disk.reads.load(Relaxed), expected);
}

#[test]
fn reading_here_and_there_reads_what_is_asked() {
    let (pool, _) = pool(usize::MAX);
    let (_, file) = file(pool, &sample(1 << 20));
    for page in [200, 100, 150, 30] {
        read(&file, page * 4096, 4096);
    }
    assert_eq!(file.resident(), 4);
    read(&file, 220 * 4096 + 1, 8192);
    assert_eq!(file.resident(), 7, "a miss of several pages brings as many as asked");
}

#[test]
fn what_is_here_of_a_page_is_read_by_a_short_way() {
    let (pool, _) = pool(usize::MAX);
    let bytes = sample(10_000);
    let (disk, file) = file(pool, &bytes);
    let short = |offset, count| {
        std::thread_local! {
            static FOUND: std::cell::RefCell<Vec<u8>> = const { std::cell::RefCell::new(Vec::new()) };
        }
        let copy =
            |_, bytes: &[u8]| NonZeroUsize::new(bytes.len()).filter(|_| FOUND.replace(bytes.to_vec()).is_empty());
        let read = file.read_short(offset, count, ShortSink { place: 0, copy });
        let found = FOUND.take();
        assert_eq!(read, NonZeroUsize::new(found.len()));
        read.map(|_| found)
    };
    assert!(short(0, 1).is_none(), "it is not here, and is not asked for");
    assert_eq!((disk.reads.load(Relaxed), read(&file, 0, 1).len()), (0, 1));
    for (offset, count) in [(0, 1), (4090, 6), (4096, 4096), (9990, 10), (9999, 1)] {
        assert_eq!(short(offset as u64, count).as_deref(), Some(&bytes[offset..offset + count]));
    }
    for (offset, count) in [(4090, 7), (9990, 11), (10_000, 1), (u64::MAX, 1)] {
        assert!(short(offset, count).is_none(), "more than one page has, or there is");
    }
    assert_eq!(file.read_short(0, 1, ShortSink { place: 0, copy: |_, _| None }), None, "it could not be copied");
}

#[test]
fn random_changes_agree_with_a_vector() {
    let rounds = if cfg!(miri) { 40 } else { 500 };
    for seed in 0..4 {
        let (pool, room) = pool(100 << 12);
        let (disk, file) = file(pool, &[]);
        disk.most.store([0, 1000, 4096, 5000][seed], Relaxed);
        let (mut random, mut model, mut version) = (Random(seed as u64), Vec::new(), 0);
        for _ in 0..rounds {
            room.1.store(file.resident() << 12, Relaxed);
            let (offset, length) = (random.below(200_000), random.below(30_000));
            let (start, span) = (offset as usize, length as usize);
            match random.below(8) {
                0..3 => {
                    let bytes: Vec<u8> = (0..span).map(|_| random.below(256) as u8).collect();
                    assert_eq!(write(&file, offset, &bytes), Ok(span));
                    if span > 0 {
                        model.resize(model.len().max(start + span), 0);
                        model[start..start + span].copy_from_slice(&bytes);
                    }
                }
                3..5 => {
                    let end = (start + span).min(model.len());
                    assert!(read(&file, offset, span) == model.get(start..end).unwrap_or_default());
                }
                5 => {
                    file.set_length(offset).unwrap();
                    model.resize(start, 0);
                }
                6 => {
                    file.erase(offset, length).unwrap();
                    let end = (start + span).min(model.len());
                    model.get_mut(start..end).unwrap_or_default().fill(0);
                }
                _ => {
                    // Somebody else, and then an opening.
                    version += 1;
                    model.extend(sample(span));
                    *disk.bytes.lock() = model.clone();
                    file.revalidate(disk.stamp(version)).unwrap();
                }
            }
            assert!(disk.bytes() == model, "what was written is there at once");
        }
        assert!(file.resident() <= 101, "no more than there is room for");
    }
}

#[test]
fn what_another_adds_is_read_at_the_end() {
    let (pool, _) = pool(usize::MAX);
    let (disk, file) = file(pool, b"first ");
    assert_eq!(read(&file, 0, 100), b"first ");
    disk.bytes.lock().extend(b"second");
    assert_eq!(read(&file, 6, 100), b"second");
    assert_eq!(file.append(&mut SliceSource::new(b" third")), Ok((6, 18)));
    disk.bytes.lock().extend(b" fourth");
    assert_eq!(file.append(&mut SliceSource::new(b" fifth")), Ok((6, 31)));
    assert_eq!(disk.bytes(), b"first second third fourth fifth");
}

#[test]
fn a_file_cut_by_another_ends_there() {
    let (pool, _) = pool(usize::MAX);
    let (disk, file) = file(pool, &sample(100_000));
    assert_eq!(read(&file, 0, 10).len(), 10);
    disk.bytes.lock().truncate(70_000);
    assert!(read(&file, 0, 200_000) == sample(70_000));
    assert_eq!(file.length(), 70_000);
    assert_eq!(file.page(18, false).err(), Some(FileError::NotFound));
}

#[test]
fn an_opening_after_our_own_changes_keeps_the_pages() {
    let (pool, _) = pool(usize::MAX);
    let (disk, file) = file(pool, &sample(50_000));
    read(&file, 0, 50_000);
    write(&file, 10, b"ours").unwrap();
    file.settle(disk.stamp(7));
    let reads = disk.reads.load(Relaxed);
    file.revalidate(disk.stamp(7)).unwrap();
    assert_eq!(&read(&file, 8, 8)[2..6], b"ours");
    assert_eq!(disk.reads.load(Relaxed), reads);
    file.revalidate(disk.stamp(8)).unwrap();
    assert_eq!(file.resident(), 0);
}

/// An address space: which pages of a file it shows.
#[derive(Default)]
struct Space {
    shown: Mutex<Vec<(u64, Arc<pages::Page>)>>,
    forgotten: AtomicUsize,
}

impl Shows for Space {
    fn forget(&self, _: &Mappings, pages: core::ops::Range<u64>) {
        self.forgotten.fetch_add(1, Relaxed);
        self.shown.lock().retain(|(number, _)| !pages.contains(number));
    }
}

impl Space {
    fn of(file: &Contents) -> Arc<Self> {
        let space = Arc::new(Self::default());
        let shows: Arc<dyn Shows> = space.clone();
        file.mappings().add(&Arc::downgrade(&shows));
        space
    }

    /// A store by the program.
    fn store(&self, file: &Contents, at: u64, byte: u8) {
        let page = file.page(at / 4096, true).unwrap();
        page.change(|bytes| bytes[(at % 4096) as usize] = byte);
        self.shown.lock().push((at / 4096, page));
    }
}

#[test]
fn stores_of_programs_are_read_at_once_and_flushed() {
    let (pool, _) = pool(usize::MAX);
    let (disk, file) = file(pool, &sample(300_001));
    let space = Space::of(&file);
    for at in [0, 4096, 300_000, 200_000] {
        space.store(&file, at, 0xee);
        assert_eq!(read(&file, at, 1), [0xee]);
    }
    assert_eq!(disk.bytes(), sample(300_001));
    file.flush(0..2).unwrap();
    assert_eq!((disk.bytes()[0], disk.bytes()[4096]), (0xee, 0xee));
    assert_ne!(disk.bytes()[200_000], 0xee);
    assert!(space.shown.lock().iter().all(|(number, _)| *number > 1), "the next store asks again");
    file.sync(true).unwrap();
    let mut expected = sample(300_001);
    [0, 4096, 300_000, 200_000].into_iter().for_each(|at: usize| expected[at] = 0xee);
    assert!(disk.bytes() == expected, "and no byte behind the end");
    space.store(&file, 5, 0xdd);
    drop(file);
    assert_eq!(disk.bytes()[5], 0xdd, "the last user flushes");
}

#[test]
fn what_cannot_be_written_back_stays_dirty() {
    let (pool, _) = pool(1 << 20);
    let (disk, file) = file(pool, &sample(8192));
    let space = Space::of(&file);
    space.store(&file, 1, 9);
    disk.full.store(true, Relaxed);
    assert_eq!(file.flush(0..2), Err(FileError::NoSpace));
    assert_eq!(pool.flush(), Err(FileError::NoSpace));
    assert_eq!(write(&file, 0, b"x"), Err(FileError::NoSpace));
    disk.full.store(false, Relaxed);
    pool.flush().unwrap();
    assert_eq!(disk.bytes()[1], 9);
}

#[test]
fn a_cut_takes_pages_from_programs() {
    let (pool, _) = pool(usize::MAX);
    let (disk, file) = file(pool, &sample(20_000));
    let space = Space::of(&file);
    space.store(&file, 9000, 1);
    space.store(&file, 19_999, 2);
    file.set_length(9001).unwrap();
    assert!(space.shown.lock().iter().all(|(number, _)| *number == 2));
    file.set_length(20_000).unwrap();
    file.sync(false).unwrap();
    let mut expected = sample(9001);
    expected[9000] = 1;
    expected.resize(20_000, 0);
    assert!(read(&file, 0, 20_000) == expected && disk.bytes() == expected);
}

#[test]
fn memory_is_given_back() {
    let (pool, room) = pool(64 << 12);
    let (_, one) = file(pool, &sample(64 << 12));
    let (disk, other) = file(pool, &sample(64 << 12));
    let in_use = || room.1.store((one.resident() + other.resident()) << 12, Relaxed);
    let space = Space::of(&other);
    for page in 0..16 {
        space.store(&other, page << 12, 5);
    }
    for page in 0..64 {
        in_use();
        assert_eq!(read(&one, page << 12, 4096).len(), 4096);
    }
    in_use();
    assert!(one.resident() + other.resident() <= 64 + 1);
    assert!(space.forgotten.load(Relaxed) > 0 && disk.bytes()[0] == 5, "programs' pages went, written back before");
    assert!((0..16).all(|page| read(&other, page << 12, 1) == [5]));
    // With locks held, only what no program sees goes.
    space.store(&other, 0, 6);
    pool.release(1000);
    assert_eq!((one.resident(), other.resident() > 0), (0, true));
    assert_eq!(read(&other, 0, 1), [6]);
}

/// Takes bytes as a program's memory does that is a mapping of the file itself.
struct Mapped<'a>(&'a Contents, usize);

impl vfs::Sink for Mapped<'_> {
    fn room(&self) -> usize {
        self.1
    }

    fn put(&mut self, bytes: &[u8]) -> usize {
        let count = bytes.len().min(self.1);
        // The page fault.
        self.0.page(0, true).unwrap();
        self.1 -= count;
        count
    }

    fn put_zeros(&mut self, count: usize) -> usize {
        count
    }
}

#[test]
fn a_file_can_be_read_into_its_own_mapping() {
    let (pool, _) = pool(usize::MAX);
    let (_, file) = file(pool, &sample(9000));
    assert_eq!(file.read_at(0, &mut Mapped(&file, 9000)), Ok(9000));
    let mut bytes = [0; 3];
    assert_eq!(file.read_at(1, &mut SliceSink::new(&mut bytes)), Ok(3));
    assert_eq!(write(&file, u64::MAX - 1, b"abc"), Err(FileError::TooLarge));
}

#[test]
fn threads_that_write_and_map_agree() {
    let (pool, _) = pool(usize::MAX);
    let (disk, file) = file(pool, &vec![0; 64 << 10]);
    let rounds = if cfg!(miri) { 5 } else { 300 };
    std::thread::scope(|scope| {
        for thread in 0..4_u64 {
            let (file, space) = (&file, Space::of(&file));
            scope.spawn(move || {
                for round in 0..rounds {
                    let at = thread * 16384;
                    write(file, at, &vec![round as u8; 4000]).unwrap();
                    space.store(file, at + 5000, round as u8);
                    assert_eq!(read(file, at + 3999, 1), [round as u8]);
                    file.flush(0..16).unwrap();
                    pool.release(3);
                }
            });
        }
    });
    file.sync(true).unwrap();
    assert!(read(&file, 0, 64 << 10) == disk.bytes());
    assert!((0..4).all(|thread| disk.bytes()[thread * 16384 + 5000] == (rounds - 1) as u8));
}
