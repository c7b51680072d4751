//! Watchers hear what they asked for, once, in order, and of nothing else.

extern crate std;

use std::{boxed::Box, string::String, sync::Arc, vec::Vec};

use vfs::{
    Owner, Readiness, SliceSink, Time, VecSink,
    ramfs::{Ramfs, Surroundings},
};

use super::*;

/// A world whose clock stands.
struct World;

impl Surroundings for World {
    fn pages(&self) -> &'static dyn pages::Memory {
        &pages::Allocator
    }

    fn now(&self) -> Time {
        1000
    }

    fn has_room(&self, _bytes: usize) -> bool {
        true
    }

    fn memory(&self) -> (u64, u64) {
        (1 << 20, 1 << 20)
    }

    fn device(&self, _kind: vfs::Kind, _number: (u32, u32)) -> Result<Arc<dyn Node>, FileError> {
        Err(FileError::NoDevice)
    }
}

fn empty() -> Ramfs {
    Ramfs::new(1, &World, 0o755)
}

/// A file without a name, for what needs any node.
fn nameless(ramfs: &Ramfs) -> Arc<dyn Node> {
    ramfs.nameless(0o600, Owner::default())
}

fn watches() -> &'static Watches {
    Box::leak(Box::new(Watches::new()))
}

fn told<'a>(node: &Arc<dyn Node>, name: Option<&'a str>, events: u32) -> Told<'a> {
    Told { to: node.identity(), name: name.map(str::as_bytes), events, cookie: 0, unlinked: false }
}

/// Everything that waits, as watch, events and name.
fn heard(watcher: &Watcher) -> Vec<(i32, u32, String)> {
    let mut sink = VecSink::new(usize::MAX);
    if watcher.read_at(0, &mut sink) == Err(FileError::WouldBlock) {
        return Vec::new();
    }
    let mut rest = &sink.bytes[..];
    let mut all = Vec::new();
    while let Some((head, behind)) = rest.split_first_chunk::<16>() {
        let word = |at: usize| u32::from_le_bytes(head[at..at + 4].try_into().unwrap());
        let (name, next) = behind.split_at(word(12) as usize);
        assert!(name.is_empty() || name.ends_with(&[0]));
        let name = name.split(|&byte| byte == 0).next().unwrap();
        all.push((word(0) as i32, word(4), String::from_utf8(name.to_vec()).unwrap()));
        rest = next;
    }
    assert!(rest.is_empty());
    all
}

#[test]
fn only_what_was_asked_for_is_heard() {
    let (all, ramfs) = (watches(), empty());
    let (one, other) = (nameless(&ramfs), nameless(&ramfs));
    assert!(all.is_empty());
    let watcher = all.watcher().unwrap();
    assert_eq!(watcher.add(one.clone(), MODIFIED | OPENED, Existing::Replace), Ok(1));
    assert!(!all.is_empty());
    for (node, events) in [(&one, MODIFIED), (&one, ACCESS), (&other, MODIFIED), (&one, OPENED)] {
        all.tell(&told(node, None, events));
    }
    assert_eq!(heard(&watcher), [(1, MODIFIED, String::new()), (1, OPENED, String::new())]);
    assert_eq!(watcher.add(one.clone(), ACCESS, Existing::Add), Ok(1));
    assert_eq!(watcher.add(one.clone(), ACCESS, Existing::Refuse), Err(FileError::Exists));
    all.tell(&told(&one, Some("name"), ACCESS));
    all.tell(&told(&one, Some("name"), MODIFIED));
    assert_eq!(heard(&watcher), [(1, ACCESS, "name".into()), (1, MODIFIED, "name".into())]);
    assert_eq!(watcher.remove(1), Ok(()));
    assert_eq!(watcher.remove(1), Err(FileError::Invalid));
    assert!(all.is_empty());
    assert_eq!(heard(&watcher), [(1, FORGOTTEN, String::new())]);
    assert_eq!(watcher.add(one, ACCESS, Existing::Replace), Ok(2));
    drop(watcher);
    assert!(all.is_empty());
}

#[test]
fn equal_events_in_a_row_are_one() {
    let (all, node) = (watches(), nameless(&empty()));
    let watcher = all.watcher().unwrap();
    watcher.add(node.clone(), ALL, Existing::Replace).unwrap();
    for name in ["a", "a", "b", "a"] {
        all.tell(&told(&node, Some(name), MODIFIED));
    }
    let names: Vec<_> = heard(&watcher).into_iter().map(|(.., name)| name).collect();
    assert_eq!(names, ["a", "b", "a"]);
}

#[test]
fn records_come_whole_and_padded() {
    let (all, node) = (watches(), nameless(&empty()));
    let watcher = all.watcher().unwrap();
    watcher.add(node.clone(), ALL, Existing::Replace).unwrap();
    for length in [0, 1, 15, 16, 31, 255] {
        let name = "x".repeat(length);
        all.tell(&told(&node, (length > 0).then_some(&*name), MODIFIED));
        let size = 16 + if length == 0 { 0 } else { (length / 16 + 1) * 16 };
        assert_eq!(watcher.available(), size);
        let mut bytes = [0xff; 512];
        assert_eq!(watcher.read_at(0, &mut SliceSink::new(&mut bytes[..size - 1])), Err(FileError::Invalid));
        assert!(watcher.readiness().contains(Readiness::READABLE));
        assert_eq!(watcher.read_at(0, &mut SliceSink::new(&mut bytes[..size + 15])), Ok(size));
        assert_eq!(bytes[16..16 + length], *name.as_bytes());
        assert!(bytes[16 + length..size].iter().all(|&byte| byte == 0));
        assert!(!watcher.readiness().contains(Readiness::READABLE));
    }
}

#[test]
fn one_event_is_enough_for_some() {
    let (all, node) = (watches(), nameless(&empty()));
    let watcher = all.watcher().unwrap();
    watcher.add(node.clone(), MODIFIED | ONCE | NOT_UNLINKED, Existing::Replace).unwrap();
    assert!(all.asks_unlinked());
    all.tell(&Told { unlinked: true, ..told(&node, None, MODIFIED) });
    assert_eq!(heard(&watcher), []);
    all.tell(&told(&node, None, MODIFIED));
    all.tell(&told(&node, None, MODIFIED));
    assert_eq!(heard(&watcher), [(1, MODIFIED, String::new()), (1, FORGOTTEN, String::new())]);
    assert!(all.is_empty());
}

#[test]
fn the_end_of_a_node_is_heard_when_nobody_holds_it() {
    let (all, ramfs) = (watches(), empty());
    let node = nameless(&ramfs);
    let watcher = all.watcher().unwrap();
    watcher.add(node.clone(), DELETED_SELF, Existing::Replace).unwrap();
    let open = node.clone();
    all.part_with(node);
    assert_eq!(heard(&watcher), []);
    drop(open);
    all.sweep();
    assert_eq!(heard(&watcher), [(1, DELETED_SELF, String::new()), (1, FORGOTTEN, String::new())]);
    assert!(all.is_empty());
}

#[test]
fn what_is_too_much_is_lost_and_said_so() {
    let (all, node) = (watches(), nameless(&empty()));
    let watcher = all.watcher().unwrap();
    watcher.add(node.clone(), ALL, Existing::Replace).unwrap();
    for turn in 0..MOST_EVENTS + 5 {
        all.tell(&told(&node, Some(["a", "b"][turn % 2]), MODIFIED));
    }
    let heard = heard(&watcher);
    assert_eq!(heard.len(), MOST_EVENTS + 1);
    assert_eq!(heard.last(), Some(&(-1, OVERFLOW, String::new())));
    let others: Vec<_> = (1..MOST_WATCHERS).map(|_| all.watcher().unwrap()).collect();
    assert_eq!(all.watcher().err(), Some(FileError::TooManyFiles));
    drop(others);
    assert!(all.watcher().is_ok());
}

const MANY: usize = if cfg!(miri) { 20 } else { 20_000 };

/// Watches are made, told and removed by number; their nodes lose their names and stay open, and then go.
#[test]
fn thousands_of_watches_take_little_more_than_their_number() {
    let (all, ramfs) = (watches(), empty());
    let watcher = all.watcher().unwrap();
    let nodes: Vec<_> = (0..MANY).map(|_| nameless(&ramfs)).collect();
    for (index, node) in nodes.iter().enumerate() {
        assert_eq!(watcher.add(node.clone(), ALL, Existing::Replace), Ok(index as i32 + 1));
    }
    nodes.iter().for_each(|node| all.part_with(node.clone()));
    nodes.iter().for_each(|node| all.tell(&told(node, None, MODIFIED)));
    let looks = all.looks.swap(0, Ordering::Relaxed);
    assert!(looks <= 2 * MANY * EACH, "{looks} looks at {MANY} nodes");
    for node in nodes {
        let of = node.identity();
        drop(node);
        all.sweep_one(of);
    }
    assert_eq!(all.looks.load(Ordering::Relaxed), MANY);
    assert!(all.is_empty());
    // A number that is taken is not given again.
    let (one, other) = (nameless(&ramfs), nameless(&ramfs));
    let next = watcher.add(one, ALL, Existing::Replace).unwrap();
    assert_eq!(watcher.add(other, ALL, Existing::Replace), Ok(next + 1));
    assert_eq!((watcher.remove(next), watcher.remove(next)), (Ok(()), Err(FileError::Invalid)));
}
