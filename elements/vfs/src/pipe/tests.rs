//! Pipes as programs see them.

extern crate std;

use std::{
    collections::VecDeque,
    num::NonZeroUsize,
    sync::atomic::{AtomicUsize, Ordering},
    task::{Wake, Waker},
    vec,
    vec::Vec,
};

use sync::Watcher;

use super::*;
use crate::{Node, Readiness, ShortSink, ShortSource, SliceSource, VecSink};

fn pair() -> (PipeEnd, PipeEnd) {
    let pipe = Pipe::new(1, Owner::default(), 0);
    (pipe.open(true, false), pipe.open(false, true))
}

fn write(end: &PipeEnd, bytes: &[u8]) -> Result<usize, FileError> {
    end.write_at(0, &mut SliceSource::new(bytes))
}

fn read(end: &PipeEnd, count: usize) -> Result<Vec<u8>, FileError> {
    let mut sink = VecSink::new(count);
    end.read_at(0, &mut sink)?;
    Ok(sink.bytes)
}

#[test]
fn an_empty_pipe_waits_and_a_closed_one_ends() {
    let (reader, writer) = pair();
    assert_eq!(read(&reader, 1), Err(FileError::WouldBlock));
    assert_eq!(write(&writer, b"ab"), Ok(2));
    assert_eq!(read(&reader, 1).unwrap(), b"a");
    assert!(reader.readiness().contains(Readiness::READABLE) && !reader.readiness().contains(Readiness::HANGUP));
    drop(writer);
    assert!(reader.readiness().contains(Readiness::HANGUP));
    assert_eq!(read(&reader, 9).unwrap(), b"b");
    assert_eq!(read(&reader, 9).unwrap(), b"");
}

struct Count(AtomicUsize);

impl Wake for Count {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

#[test]
fn each_end_hears_of_the_other_only() {
    let pipe = Pipe::new(1, Owner::default(), 0);
    let ends = [pipe.open(true, false), pipe.open(false, true), pipe.open(true, true)].map(Arc::new);
    let counts = [(); 3].map(|()| Arc::new(Count(AtomicUsize::new(0))));
    let _watchers: Vec<_> = (ends.iter().zip(&counts))
        .map(|(end, count)| {
            Watcher::new(Arc::clone(end), |end| end.wait_queue().unwrap(), Waker::from(Arc::clone(count)))
        })
        .collect();
    let heard = || [0, 1, 2].map(|index| counts[index].0.swap(0, Ordering::SeqCst));
    assert_eq!((write(&ends[1], b"ab"), heard()), (Ok(2), [1, 0, 1]));
    // One that does both waits where readers do, and they hear of reads as long as it is there.
    assert_eq!((read(&ends[0], 1).unwrap(), heard()), (vec![b'a'], [1, 1, 1]));
    let pipe = Pipe::new(2, Owner::default(), 0);
    let (reader, writer) = (Arc::new(pipe.open(true, false)), pipe.open(false, true));
    let _watcher = Watcher::new(Arc::clone(&reader), |end| end.wait_queue().unwrap(), Waker::from(counts[0].clone()));
    assert_eq!((write(&writer, b"ab"), heard()[0]), (Ok(2), 1));
    assert_eq!((read(&reader, 1).unwrap(), heard()[0]), (vec![b'a'], 0));
}

#[test]
fn nobody_reading_is_an_error() {
    let (reader, writer) = pair();
    drop(reader);
    assert_eq!(write(&writer, b"x"), Err(FileError::Broken));
    assert!(writer.readiness().contains(Readiness::ERROR));
    assert_eq!(write(&writer, b""), Ok(0));
}

#[test]
fn short_writes_stay_together_and_long_ones_fill_up() {
    let (reader, writer) = pair();
    assert_eq!(write(&writer, &vec![1; CAPACITY - 10]), Ok(CAPACITY - 10));
    assert_eq!(write(&writer, &[2; 11]), Err(FileError::WouldBlock));
    assert!(!writer.readiness().contains(Readiness::WRITABLE));
    assert_eq!(write(&writer, &[2; 5000]), Ok(10));
    assert_eq!(reader.available(), CAPACITY);
}

#[test]
fn capacity_changes_within_limits() {
    let (reader, writer) = pair();
    let pipe = reader.pipe().clone();
    assert_eq!(pipe.set_capacity(1), Ok(4096));
    assert_eq!(write(&writer, &[3; 9000]), Ok(4096));
    assert_eq!(pipe.set_capacity(5000), Ok(8192));
    assert_eq!(write(&writer, &[4; 9000]), Ok(4096));
    assert_eq!(pipe.set_capacity(4096), Err(FileError::Busy));
    assert_eq!(pipe.set_capacity(usize::MAX), Err(FileError::Invalid));
    assert_eq!(pipe.set_capacity(MOST_CAPACITY + 1), Err(FileError::NotPermitted));
    assert_eq!(read(&reader, 8192).unwrap(), [[3; 4096], [4; 4096]].concat());
}

#[test]
fn peeking_keeps_bytes_also_round_the_end() {
    let (reader, writer) = pair();
    reader.pipe().set_capacity(4096).unwrap();
    write(&writer, &[1; 4000]).unwrap();
    read(&reader, 3999).unwrap();
    write(&writer, &[2; 200]).unwrap();
    let mut sink = VecSink::new(1000);
    assert_eq!(reader.peek(&mut sink), Ok(201));
    assert_eq!((sink.bytes, reader.pipe().room()), (read(&reader, 1000).unwrap(), 4096 - 201));
}

#[test]
fn partners_of_a_named_pipe_are_noticed() {
    let pipe = Pipe::new(1, Owner::default(), 0);
    let reader = pipe.open(true, false);
    assert!(!reader.has_partner());
    let writer = pipe.open(false, true);
    assert!(writer.has_partner());
    drop(writer);
    assert!(reader.has_partner());
    assert!(pipe.open(true, true).has_partner());
}

#[test]
fn bytes_come_out_as_they_went_in() {
    let (reader, writer) = pair();
    reader.pipe().set_capacity(8192).unwrap();
    let (mut model, mut state, mut next) = (VecDeque::new(), 1_u32, 0_u8);
    for _ in 0..if cfg!(miri) { 50 } else { 20_000 } {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let count = (state >> 12) as usize % 6000;
        if state >> 31 == 0 {
            let bytes: Vec<u8> = (0..count).map(|index| next.wrapping_add(index as u8)).collect();
            if let Ok(written) = write(&writer, &bytes) {
                model.extend(&bytes[..written]);
                next = next.wrapping_add(written as u8);
            }
        } else if let Ok(bytes) = read(&reader, count) {
            assert_eq!(bytes, model.drain(..bytes.len()).collect::<Vec<_>>());
        }
        assert_eq!(reader.available(), model.len());
    }
}

#[test]
fn packets_are_read_one_at_a_time() {
    let (reader, writer) = pair();
    assert_eq!(write(&writer, b"stream"), Ok(6));
    writer.keep_packets(true);
    assert_eq!((write(&writer, b"one"), write(&writer, b"second")), (Ok(3), Ok(6)));
    writer.keep_packets(false);
    assert_eq!(write(&writer, b"rest"), Ok(4));
    assert_eq!(read(&reader, 2).unwrap(), b"st");
    assert_eq!(read(&reader, 6).unwrap(), b"reamon");
    assert_eq!(read(&reader, 3).unwrap(), b"sec");
    assert_eq!(read(&reader, 30).unwrap(), b"rest");
    assert_eq!((reader.available(), reader.pipe().room()), (0, CAPACITY));
    writer.keep_packets(true);
    // Each has a page, and a long write is several.
    assert_eq!(write(&writer, &[1; 5000]), Ok(5000));
    assert_eq!((read(&reader, 9000).unwrap().len(), read(&reader, 9000).unwrap().len()), (4096, 904));
    for _ in 0..CAPACITY / ATOMIC {
        assert_eq!(write(&writer, b"x"), Ok(1));
    }
    assert_eq!(
        (write(&writer, b"x"), writer.readiness().contains(Readiness::WRITABLE)),
        (Err(FileError::WouldBlock), false)
    );
    assert_eq!(read(&reader, 9).unwrap(), b"x");
    assert!(writer.readiness().contains(Readiness::WRITABLE));
}

#[test]
fn packets_come_as_from_a_queue_of_them() {
    let (reader, writer) = pair();
    let mut model: VecDeque<Vec<u8>> = VecDeque::new();
    let mut state = 5_u32;
    let mut next = |most: u32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) % most
    };
    writer.keep_packets(true);
    for round in 0..if cfg!(miri) { 200 } else { 20_000 } {
        if next(2) == 0 {
            let packet = vec![round as u8; 1 + next(4096) as usize];
            let result = write(&writer, &packet);
            assert_eq!(result, if model.len() < 16 { Ok(packet.len()) } else { Err(FileError::WouldBlock) });
            model.extend(result.is_ok().then_some(packet));
        } else if let Some(mut packet) = model.pop_front() {
            let room = 1 + next(5000) as usize;
            packet.truncate(room);
            assert_eq!(read(&reader, room).unwrap(), packet);
        }
        assert_eq!(reader.available() == 0, model.is_empty());
    }
}

#[test]
fn an_end_that_is_opened_again_waits_for_nobody() {
    let (reader, writer) = pair();
    assert_eq!(write(&writer, b"ab"), Ok(2));
    drop(writer);
    let again = reader.open(true, false).unwrap().unwrap();
    assert!(again.has_partner(), "the writer has gone, and what it wrote is to be read");
    assert!(!reader.pipe().open(true, false).has_partner(), "opened by a name");
}

std::thread_local! {
    static MOVED: core::cell::RefCell<Vec<u8>> = const { core::cell::RefCell::new(Vec::new()) };
}

/// What a short read gives is in `MOVED` then, unless its memory does not work.
fn short_read(end: &PipeEnd, count: usize, works: bool) -> Option<Vec<u8>> {
    let copy = |works, bytes: &[u8]| {
        let moved = NonZeroUsize::new(bytes.len() * works);
        moved.inspect(|_| drop(MOVED.replace(bytes.to_vec())))
    };
    let read = end.read_short(0, count, ShortSink { place: usize::from(works), copy })?;
    let bytes = MOVED.take();
    assert_eq!(bytes.len(), read.get());
    Some(bytes)
}

fn short_write(end: &PipeEnd, byte: u8, count: usize) -> Option<usize> {
    let copy = |bytes: &mut [u8], byte| {
        bytes.fill(byte as u8);
        NonZeroUsize::new(bytes.len()).filter(|_| byte != 0)
    };
    end.write_short(0, count, ShortSource { place: usize::from(byte), copy }).map(NonZeroUsize::get)
}

#[test]
fn the_short_ways_move_what_the_general_ones_do() {
    let (reader, writer) = pair();
    let (mut model, mut state, mut short) = (VecDeque::new(), 5_u64, 0);
    for step in 0..if cfg!(miri) { 100 } else { 5000 } {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let (byte, count) = ((step % 255) as u8 + 1, (state >> 40) as usize % 3000 + 1);
        match step % 4 {
            0 | 1 if model.len() + count <= CAPACITY => {
                let moved = short_write(&writer, byte, count);
                short += usize::from(moved.is_some());
                let moved = moved.unwrap_or_else(|| write(&writer, &vec![byte; count]).unwrap());
                assert_eq!(moved, count);
                model.extend(vec![byte; count]);
            }
            2 => assert_eq!((short_write(&writer, 0, count), short_read(&reader, count, false)), (None, None)),
            _ if model.is_empty() => assert_eq!(short_read(&reader, count, true), None),
            _ => {
                let moved = short_read(&reader, count, true);
                short += usize::from(moved.is_some());
                let moved = moved.unwrap_or_else(|| read(&reader, count).unwrap());
                assert_eq!(moved, model.drain(..count.min(model.len())).collect::<Vec<u8>>());
            }
        }
        assert_eq!(reader.available(), model.len());
    }
    assert!(short > if cfg!(miri) { 20 } else { 1000 });
    assert!(short_read(&writer, 1, true).is_none() && short_write(&reader, 1, 1).is_none(), "the other end's");
    writer.keep_packets(true);
    assert!(short_write(&writer, 1, 1).is_none(), "a packet has a page for itself");
    writer.keep_packets(false);
    drop(reader);
    assert!(short_write(&writer, 1, 1).is_none(), "it is broken");
}
