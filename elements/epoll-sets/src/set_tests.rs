//! Sets over files of the tests' own: nothing that happens is lost, nothing is told twice, and nothing is kept.

extern crate std;

use alloc::{sync::Arc, vec::Vec};
use core::sync::atomic::{AtomicU32, Ordering::SeqCst};

use linux_abi::constants::{EPOLLET, EPOLLEXCLUSIVE, EPOLLONESHOT, EPOLLWAKEUP};
use sync::{WaitQueue, Watcher};

use super::*;

const READ: u32 = 1;
const WRITE: u32 = 4;

#[derive(Default)]
struct File {
    events: AtomicU32,
    queue: WaitQueue,
}

impl File {
    fn happen(&self, events: u32) {
        self.events.fetch_or(events, SeqCst);
        self.queue.wake_all();
    }
}

struct Watching(Arc<File>);

impl Watched for Watching {
    fn events(&self) -> u32 {
        self.0.events.load(SeqCst)
    }
}

type TestSet = Set<usize, Watching, Watcher<File>>;

fn add(set: &TestSet, key: usize, file: &Arc<File>, events: u32) -> Result<(), Refused> {
    let item = set.item(Watching(Arc::clone(file)));
    set.enter(key, &item, |waker| Watcher::new(Arc::clone(file), |file| &file.queue, waker))?;
    item.arm(events, key as u64);
    Ok(())
}

/// All that is told: of whom, and what.
fn told(set: &TestSet) -> Vec<(u64, u32)> {
    let mut all = Vec::new();
    set.collect(usize::MAX, |told| all.push((told.data, told.events)));
    all
}

#[test]
fn what_is_ready_is_told_as_long_as_it_is() {
    let (set, file) = (TestSet::default(), Arc::<File>::default());
    file.events.store(READ, SeqCst);
    add(&set, 5, &file, READ | WRITE).unwrap();
    assert_eq!([told(&set), told(&set)], [[(5, READ)], [(5, READ)]]);
    file.happen(WRITE);
    assert!(set.is_ready());
    assert_eq!(told(&set), [(5, READ | WRITE)]);
    file.events.store(0, SeqCst);
    assert!(!set.is_ready() && told(&set).is_empty());
    // Errors and hang-ups are told though nobody asked; other events are not.
    file.happen(REPORTED | 0x2000);
    assert_eq!(told(&set), [(5, REPORTED)]);
}

#[test]
fn edges_are_told_once_each() {
    let (set, file) = (TestSet::default(), Arc::<File>::default());
    file.happen(READ);
    add(&set, 5, &file, READ | EPOLLET).unwrap();
    assert_eq!([told(&set), told(&set)], [alloc::vec![(5, READ)], Vec::new()]);
    // More of the same is an edge too.
    file.happen(READ);
    file.happen(READ);
    assert_eq!([told(&set), told(&set)], [alloc::vec![(5, READ)], Vec::new()]);
    // To arm it anew looks anew.
    set.change(&5, READ | EPOLLET, 6).unwrap();
    assert_eq!([told(&set), told(&set)], [alloc::vec![(6, READ)], Vec::new()]);
}

#[test]
fn one_shot_waits_to_be_armed_again() {
    let (set, file) = (TestSet::default(), Arc::<File>::default());
    add(&set, 5, &file, READ | EPOLLONESHOT).unwrap();
    file.happen(READ);
    assert_eq!(told(&set), [(5, READ)]);
    // Not even errors are told until then.
    file.happen(READ | REPORTED);
    assert!(!set.is_ready() && told(&set).is_empty());
    set.change(&5, READ | EPOLLONESHOT, 7).unwrap();
    assert_eq!([told(&set), told(&set)], [alloc::vec![(7, READ | REPORTED)], Vec::new()]);
}

#[test]
fn who_is_refused() {
    let (set, file) = (TestSet::default(), Arc::<File>::default());
    add(&set, 5, &file, READ | EPOLLEXCLUSIVE).unwrap();
    assert_eq!(add(&set, 5, &file, READ), Err(Refused::Exists));
    assert_eq!((set.change(&6, READ, 0), set.leave(&6).err()), (Err(Refused::NotFound), Some(Refused::NotFound)));
    assert_eq!(set.change(&5, READ, 0), Err(Refused::Exclusive));
    add(&set, 6, &file, READ).unwrap();
    assert_eq!(set.change(&6, READ | EPOLLEXCLUSIVE, 0), Err(Refused::Exclusive));
    for (events, is_set, refused) in [
        (READ | WRITE | REPORTED | EPOLLET | EPOLLWAKEUP | EPOLLEXCLUSIVE, false, false),
        (READ | EPOLLEXCLUSIVE, true, true),
        (READ | EPOLLEXCLUSIVE | EPOLLONESHOT, false, true),
        (0x2000 | EPOLLEXCLUSIVE, false, true),
        (0x2000 | EPOLLONESHOT, true, false),
    ] {
        assert_eq!(is_contradictory(events, is_set), refused, "{events:#x} {is_set}");
    }
}

#[test]
fn who_leaves_is_neither_told_nor_kept() {
    let (set, file) = (TestSet::default(), Arc::<File>::default());
    for key in 0..4 {
        add(&set, key, &file, READ).unwrap();
    }
    file.happen(READ);
    assert!(set.leave(&1).is_ok());
    assert_eq!(told(&set).len(), 3);
    let mut seen = 0;
    set.clear(&mut |_| seen += 1);
    assert!((seen, set.contains(&0), set.is_ready()) == (3, false, false) && told(&set).is_empty());
    // What happens now finds nobody in the queue.
    file.happen(READ);
    assert!(!set.is_ready());
    assert_eq!(Arc::strong_count(&file), 1);
}

/// What an item is to do, by a model that knows of each whether something has happened since the last look.
struct Model {
    events: u32,
    armed: bool,
    happened: bool,
}

#[test]
fn no_readiness_is_lost_and_none_is_made_up() {
    const FILES: usize = 6;
    let set = TestSet::default();
    let files: Vec<Arc<File>> = (0..FILES).map(|_| Arc::default()).collect();
    let mut models: [Option<Model>; FILES] = [const { None }; FILES];
    let mut state = 21_u64;
    let mut random = move |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let mut tellings = 0;
    for step in 0..if cfg!(miri) { 300 } else { 30_000 } {
        let (number, events) = (random(FILES), [READ, WRITE, READ | WRITE][random(3)]);
        let (file, model) = (&files[number], &mut models[number]);
        let mode = [0, 0, EPOLLET, EPOLLONESHOT][random(4)];
        let armed = Model { events: events | mode, armed: true, happened: true };
        match random(8) {
            0 if model.is_none() => {
                add(&set, number, file, events | mode).unwrap();
                *model = Some(armed);
            }
            0 if random(4) == 0 => {
                set.leave(&number).unwrap();
                *model = None;
            }
            1 if model.is_some() => {
                set.change(&number, events | mode, number as u64).unwrap();
                *model = Some(armed);
            }
            2..=4 => {
                file.happen(events);
                model.iter_mut().for_each(|model| model.happened = true);
            }
            5 => drop(file.events.fetch_and(!events, SeqCst)),
            _ => {
                let mut expected = Vec::new();
                for (number, model) in models.iter_mut().enumerate() {
                    let Some(model) = model else { continue };
                    let found = files[number].events.load(SeqCst) & (model.events | REPORTED);
                    if model.armed && found != 0 && (model.happened || model.events & EPOLLET == 0) {
                        expected.push((number as u64, found));
                        model.armed = model.events & EPOLLONESHOT == 0;
                    }
                    model.happened = false;
                }
                assert_eq!(set.is_ready(), !expected.is_empty(), "step {step}");
                let mut all = told(&set);
                all.sort_unstable();
                assert_eq!(all, expected, "step {step}");
                tellings += all.len();
            }
        }
    }
    assert!(tellings > if cfg!(miri) { 10 } else { 5_000 }, "{tellings}");
}
