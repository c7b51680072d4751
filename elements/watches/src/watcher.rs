//! One who watches: a queue of events to be read.

use alloc::{
    boxed::Box,
    collections::{BTreeMap, BTreeSet, VecDeque},
    sync::{Arc, Weak},
    vec::Vec,
};
use core::sync::atomic::Ordering;

use sync::{Mutex, WaitQueue};

use super::{
    Event, MOST_EVENTS, MOST_WATCHES, Told, Watches,
    event::{ALL, ASKED, DELETED_SELF, FORGOTTEN, IS_DIRECTORY, MOVED_SELF, NOT_UNLINKED, ONCE, OVERFLOW},
};
use vfs::{FileError, Identity, Kind, Metadata, Node, Readiness, Seeking, Sink};

/// Watches and what they have seen: what inotify_init(2) makes.
pub struct Watcher {
    all: &'static Watches,
    state: Mutex<State>,
    queue: WaitQueue,
}

#[derive(Default)]
struct State {
    watches: BTreeMap<Identity, Watch>,
    /// What the watch of a number watches.
    numbers: BTreeMap<i32, Identity>,
    /// What has no name any more.
    leaving: BTreeSet<Identity>,
    events: VecDeque<Event>,
    /// The number given last.
    last: i32,
}

struct Watch {
    number: i32,
    /// Events asked for, and how.
    asked: u32,
    node: Held,
}

enum Held {
    Node(Arc<dyn Node>),
    /// It has no name any more: this watch is not what keeps it. A file with several names may be several nodes, here
    /// the one that was watched and the one whose name went last.
    Leaving([Weak<dyn Node>; 2]),
}

/// What is to become of a watch that there is already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// It watches for other events from now on.
    Replace,
    /// It watches for these too (IN_MASK_ADD).
    Add,
    /// It stays as it is: [`FileError::Exists`] (IN_MASK_CREATE).
    Refuse,
}

impl State {
    fn push(&mut self, event: Event) {
        if self.events.back().is_some_and(|last| last.is_again(&event)) || self.events.len() > MOST_EVENTS {
            return;
        }
        let lost = Event { watch: -1, events: OVERFLOW, cookie: 0, name: Box::default() };
        self.events.push_back(if self.events.len() == MOST_EVENTS { lost } else { event });
    }

    /// A number that no watch has: the next one, so that late events of one that has gone are not taken for it.
    fn number(&mut self) -> i32 {
        loop {
            self.last = self.last.checked_add(1).unwrap_or(1);
            if !self.numbers.contains_key(&self.last) {
                return self.last;
            }
        }
    }
}

impl Watcher {
    pub(super) fn new(all: &'static Watches) -> Self {
        Self { all, state: Mutex::default(), queue: WaitQueue::new() }
    }

    /// Watches `node` for what `asked` says; the watch's number. [`FileError::NoSpace`] if there are [`MOST_WATCHES`].
    pub fn add(&self, node: Arc<dyn Node>, asked: u32, existing: Existing) -> Result<i32, FileError> {
        let of = node.identity();
        let asked = asked & ASKED;
        let mut state = self.state.lock();
        if asked & NOT_UNLINKED != 0 {
            self.all.asks_unlinked.store(true, Ordering::Relaxed);
        }
        match state.watches.get_mut(&of) {
            Some(_) if existing == Existing::Refuse => return Err(FileError::Exists),
            Some(watch) => {
                watch.asked = if existing == Existing::Add { watch.asked | asked } else { asked };
                return Ok(watch.number);
            }
            None => {}
        }
        if self.all.count.fetch_add(1, Ordering::Relaxed) >= MOST_WATCHES {
            self.all.count.fetch_sub(1, Ordering::Relaxed);
            return Err(FileError::NoSpace);
        }
        let number = state.number();
        state.numbers.insert(number, of);
        state.watches.insert(of, Watch { number, asked, node: Held::Node(node) });
        Ok(number)
    }

    /// Each watch: its number, what it watches, and for what.
    pub fn each(&self, visit: &mut dyn FnMut(i32, Identity, u32)) {
        self.state.lock().watches.iter().for_each(|(of, watch)| visit(watch.number, *of, watch.asked));
    }

    /// Ends the watch of that number. [`FileError::Invalid`] if there is none.
    pub fn remove(&self, number: i32) -> Result<(), FileError> {
        let mut state = self.state.lock();
        let of = *state.numbers.get(&number).ok_or(FileError::Invalid)?;
        let gone = self.forget(&mut state, of);
        drop(state);
        self.queue.wake_all();
        drop(gone);
        Ok(())
    }

    /// Takes a watch out, and says so. What this answers goes after the lock.
    fn forget(&self, state: &mut State, of: Identity) -> Option<Watch> {
        let watch = state.watches.remove(&of)?;
        state.numbers.remove(&watch.number);
        state.leaving.remove(&of);
        state.push(Event { watch: watch.number, events: FORGOTTEN, cookie: 0, name: Box::default() });
        self.uncount(&watch);
        Some(watch)
    }

    fn uncount(&self, watch: &Watch) {
        self.all.count.fetch_sub(1, Ordering::Relaxed);
        if let Held::Leaving(_) = watch.node {
            self.all.leaving.fetch_sub(1, Ordering::Relaxed);
        }
    }

    pub(super) fn hear(&self, told: &Told<'_>) {
        let mut state = self.state.lock();
        let Some(&Watch { number, asked, .. }) = state.watches.get(&told.to) else { return };
        if asked & told.events & ALL == 0 || told.unlinked && asked & NOT_UNLINKED != 0 {
            return;
        }
        // As on Linux, these do not say what they happened to.
        let silent = if told.events & (MOVED_SELF | DELETED_SELF) != 0 { IS_DIRECTORY } else { 0 };
        let name = told.name.unwrap_or_default().into();
        state.push(Event { watch: number, events: told.events & !silent, cookie: told.cookie, name });
        let gone = if asked & ONCE != 0 { self.forget(&mut state, told.to) } else { None };
        drop(state);
        self.queue.wake_all();
        drop(gone);
    }

    pub(super) fn part_with(&self, gone: &Arc<dyn Node>, of: Identity) {
        let mut state = self.state.lock();
        let Some(Watch { node, .. }) = state.watches.get_mut(&of) else { return };
        let Held::Node(kept) = node else { return };
        let leaving = Held::Leaving([Arc::downgrade(kept), Arc::downgrade(gone)]);
        let kept = core::mem::replace(node, leaving);
        state.leaving.insert(of);
        self.all.leaving.fetch_add(1, Ordering::Relaxed);
        drop(state);
        drop(kept);
    }

    /// Looks whether nodes without names have gone: `of`, or all. Answers how many were looked at.
    pub(super) fn sweep(&self, of: Option<Identity>) -> usize {
        let mut state = self.state.lock();
        let has_gone = |watch: &Watch| matches!(&watch.node, Held::Leaving(nodes) if nodes.iter().all(|node| node.strong_count() == 0));
        let looked: Vec<Identity> = match of {
            Some(of) => state.leaving.get(&of).copied().into_iter().collect(),
            None => state.leaving.iter().copied().collect(),
        };
        let mut gone = Vec::new();
        for &of in &looked {
            let Some(&Watch { number, asked, .. }) = state.watches.get(&of).filter(|watch| has_gone(watch)) else {
                continue;
            };
            if asked & DELETED_SELF != 0 {
                state.push(Event { watch: number, events: DELETED_SELF, cookie: 0, name: Box::default() });
            }
            gone.extend(self.forget(&mut state, of));
        }
        drop(state);
        if !gone.is_empty() {
            self.queue.wake_all();
        }
        looked.len()
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        let state = self.state.lock();
        state.watches.values().for_each(|watch| self.uncount(watch));
    }
}

impl Node for Watcher {
    fn kind(&self) -> Kind {
        Kind::Event
    }

    fn metadata(&self) -> Metadata {
        Metadata::new(Kind::Event, 0o600)
    }

    fn seeking(&self) -> Seeking {
        Seeking::Still
    }

    fn read_at(&self, _offset: u64, sink: &mut dyn Sink) -> Result<usize, FileError> {
        let mut count = 0;
        loop {
            // Copied with nothing locked: it may wait for a program's memory.
            let event = {
                let mut state = self.state.lock();
                match state.events.front() {
                    None if count == 0 => return Err(FileError::WouldBlock),
                    Some(event) if count == 0 && event.size() > sink.room() => return Err(FileError::Invalid),
                    Some(event) if event.size() <= sink.room() => state.events.pop_front(),
                    _ => None,
                }
            };
            let Some(event) = event else { return Ok(count) };
            let put = event.put(sink);
            count += put;
            if put < event.size() {
                return Ok(count);
            }
        }
    }

    fn readiness(&self) -> Readiness {
        let readable = !self.state.lock().events.is_empty();
        Readiness::READABLE.when(readable)
    }

    fn wait_queue(&self) -> Option<&WaitQueue> {
        Some(&self.queue)
    }

    fn available(&self) -> usize {
        self.state.lock().events.iter().map(Event::size).sum()
    }
}
