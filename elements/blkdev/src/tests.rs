//! A device that takes its time and gives back in another order; a disk against a vector of bytes.

use std::{
    boxed::Box,
    collections::VecDeque,
    sync::atomic::{AtomicU32, Ordering::Relaxed},
    vec,
    vec::Vec,
};

use page_cache::{Backing, Contents, Pool, Room, Stamp};
use pages::Allocator;
use sync::Mutex;
use vfs::{FileError, SliceSink, SliceSource};

use super::*;

const SECTORS: u64 = 64;

/// Keeps what is done for some looks, takes at most three requests of a burst, and gives them back from behind.
struct Slow {
    ram: Ram,
    kept: Mutex<VecDeque<Done>>,
    looks: AtomicU32,
    /// Looks after which it breaks.
    lasts: u32,
}

impl Slow {
    fn new(ram: Ram, lasts: u32) -> &'static Self {
        Box::leak(Box::new(Self { ram, kept: Mutex::default(), looks: AtomicU32::new(0), lasts }))
    }
}

impl Disks for Slow {
    fn count(&self) -> usize {
        1
    }

    fn geometry(&self, disk: usize) -> Option<Geometry> {
        self.ram.geometry(disk).map(|geometry| Geometry { parts: 3, queues: 2, ..geometry })
    }

    fn submit(&self, disk: usize, queue: usize, burst: &[Request<'_>]) -> Result<usize, Error> {
        assert!(queue < 2 && burst.iter().all(|request| request.parts().len() <= 3));
        let count = burst.len().min(3);
        self.ram.submit(disk, 0, &burst[..count])?;
        let mut done = [Done::NONE; 8];
        let taken = self.ram.take(disk, 0, &mut done)?;
        done[..taken].iter().for_each(|done| self.kept.lock().push_front(*done));
        Ok(count)
    }

    fn take(&self, _: usize, _: usize, done: &mut [Done]) -> Result<usize, Error> {
        let look = self.looks.fetch_add(1, Relaxed);
        if look > self.lasts {
            return Err(Error::Failed);
        }
        if !look.is_multiple_of(3) {
            return Ok(0);
        }
        let first = self.kept.lock().pop_front();
        Ok(first.map_or(0, |first| {
            done[0] = first;
            1
        }))
    }
}

fn ram() -> Ram {
    Ram::new(&Allocator, SECTORS)
}

fn store(disks: &'static dyn Disks) -> Store {
    Store::new(disks, 0, || 1).unwrap()
}

/// A sequence that repeats.
fn numbers() -> impl FnMut(usize) -> usize {
    let mut state = 0x9e37_79b9_u64;
    move |below| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below as u64) as usize
    }
}

#[test]
fn bytes_at_any_place_are_those_of_a_vector() {
    let store = store(Slow::new(ram(), u32::MAX));
    let mut model = vec![0_u8; SECTORS as usize * SECTOR];
    let mut number = numbers();
    for round in 0..if cfg!(miri) { 20 } else { 400 } {
        let at = number(model.len());
        let count = 1 + number(9000).min(model.len() - at - 1);
        let bytes: Vec<u8> = (0..count).map(|index| (index * 7 + round) as u8).collect();
        let mut written = 0;
        while written < count {
            written += store.write((at + written) as u64, &bytes[written..]).unwrap();
        }
        model[at..at + count].copy_from_slice(&bytes);
        let from = number(model.len()) / SECTOR * SECTOR;
        let mut parts: Vec<Vec<u8>> = (0..7).map(|_| vec![0xee; SECTOR * (1 + number(3))]).collect();
        let mut places: Vec<&mut [u8]> = parts.iter_mut().map(|part| &mut part[..]).collect();
        let read = store.read(from as u64, &mut places).unwrap();
        let all = parts.concat();
        assert_eq!(read, all.len().min(model.len() - from));
        assert!(all[..read] == model[from..from + read]);
    }
    assert_eq!(store.sync(true), Ok(()));
}

#[test]
fn ends_and_rights_are_errors() {
    let store = store(Box::leak(Box::new(ram().read_only())));
    assert_eq!(store.geometry().bytes(), 32768);
    assert_eq!(store.write(0, b"x"), Err(FileError::ReadOnly));
    assert_eq!(store.read(32768, &mut [&mut [0; 512]]), Ok(0));
    assert_eq!(store.set_length(5), Err(FileError::Invalid));
    let writable: &'static Ram = Box::leak(Box::new(ram()));
    assert_eq!(self::store(writable).write(32768, b"x"), Err(FileError::NoSpace));
    let line = Line::new(writable, 0, 0, 8);
    assert_eq!(line.read(63, &mut [&mut [0; 1024]]), Err(Error::Nowhere));
    assert_eq!(line.read(u64::MAX, &mut [&mut [0; 512]]), Err(Error::Nowhere));
    assert_eq!(line.read(0, &mut [&mut [0; 100]]), Err(Error::Nowhere));
    assert!(Store::new(writable, 1, || 0).is_err());
}

#[test]
fn a_queue_that_breaks_fails_everybody() {
    let slow = Slow::new(ram(), 40);
    let store = store(slow);
    let results: Vec<_> = (0..20).map(|sector| store.write(sector * 512, &[1; 512])).collect();
    assert!(results[0].is_ok() && results[19] == Err(FileError::Failed));
}

#[test]
fn threads_share_a_line() {
    let slow = Slow::new(ram(), u32::MAX);
    let line = Line::new(slow, 0, 0, 3);
    let rounds = if cfg!(miri) { 3 } else { 200 };
    std::thread::scope(|scope| {
        for thread in 0..4_u64 {
            let line = &line;
            scope.spawn(move || {
                for round in 0..rounds {
                    let wanted = [thread as u8 ^ round as u8; 8 * SECTOR];
                    line.write(thread * 16, &wanted).unwrap();
                    let mut parts = [[0; SECTOR]; 8];
                    line.read(thread * 16, &mut parts.each_mut().map(|part| &mut part[..])).unwrap();
                    assert!(parts.concat() == wanted);
                }
            });
        }
    });
}

struct Enough;

impl Room for Enough {
    fn has_room(&self, _: usize) -> bool {
        true
    }
}

#[test]
fn a_page_cache_stands_on_a_disk() {
    let pool: &'static Pool = Box::leak(Box::new(Pool::new(&Allocator, &Enough)));
    let store = store(Slow::new(Ram::new(&Allocator, 51), u32::MAX));
    let length = store.geometry().bytes();
    let contents = Contents::new(pool, std::sync::Arc::new(store), Stamp { length, ..Stamp::default() });
    assert_eq!(contents.write_at(100, &mut SliceSource::new(&[5; 20_000])), Ok(20_000));
    assert_eq!(contents.write_at(length - 3, &mut SliceSource::new(&[6; 10])), Ok(3));
    let mut bytes = vec![0; length as usize + 1];
    assert_eq!(contents.read_at(0, &mut SliceSink::new(&mut bytes)), Ok(length as usize));
    assert!(
        bytes[..100] == [0; 100] && bytes[100..20_100] == [5; 20_000] && bytes[length as usize - 3..][..3] == [6; 3]
    );
}
