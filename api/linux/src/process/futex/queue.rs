//! Who waits for which word.

use alloc::{sync::Arc, vec::Vec};
use core::sync::atomic::{AtomicUsize, Ordering};

use kernel::task::{self, Thread};
use sync::{Mutex, MutexGuard};

use crate::state::linux;

/// Lists that words are spread over.
const LISTS: usize = 64;

/// Those who wait, in each list by priority, and by how long among equals (Linux' `plist`).
static WAITING: [Mutex<Vec<Arc<Ticket>>>; LISTS] = [const { Mutex::new(Vec::new()) }; LISTS];

/// The bits of those who wait for a lock to be handed to them (FUTEX_LOCK_PI): no wake matches.
pub const INHERITS: u32 = 0;

/// How many wait so: most programs have none, and a thread's end need not look for them.
static HEIRS: AtomicUsize = AtomicUsize::new(0);

/// A thread that waits.
pub struct Ticket {
    thread: Arc<Thread>,
    bits: u32,
    /// Of a real-time thread, as it was when the wait began; 0 for the others.
    priority: u8,
    /// The word's address; 0 when it has been woken. Changes under the lock of the list it is in.
    word: AtomicUsize,
}

impl Drop for Ticket {
    fn drop(&mut self) {
        if self.bits == INHERITS {
            HEIRS.fetch_sub(1, Ordering::SeqCst);
        }
    }
}

fn list(word: usize) -> usize {
    // Fibonacci hashing: words of one structure come to different lists.
    (word >> 2).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (usize::BITS - LISTS.trailing_zeros())
}

impl Ticket {
    /// The running thread waits for `word` if `holds` is true, which is asked while nobody can wake it.
    pub fn draw<E>(word: usize, bits: u32, holds: impl FnOnce() -> Result<(), E>) -> Result<Arc<Self>, E> {
        let thread = task::current().handle();
        let priority = task::parameters(&thread).priority;
        let ticket = Arc::new(Self { thread, bits, priority, word: AtomicUsize::new(word) });
        if bits == INHERITS {
            HEIRS.fetch_add(1, Ordering::SeqCst);
        }
        let mut waiting = WAITING[list(word)].lock();
        holds()?;
        ticket.enter(&mut waiting);
        Ok(ticket)
    }

    /// Enters a list behind those that go first.
    fn enter(self: &Arc<Self>, waiting: &mut Vec<Arc<Self>>) {
        // Hardly any thread has a priority.
        let place = match self.priority {
            0 => waiting.len(),
            own => waiting.partition_point(|other| other.priority >= own),
        };
        waiting.insert(place, Arc::clone(self));
    }

    /// Whether it was woken.
    pub fn is_woken(&self) -> bool {
        self.word.load(Ordering::SeqCst) == 0
    }

    /// Gives the wait up; `false` if it was woken already.
    pub fn give_up(self: &Arc<Self>) -> bool {
        loop {
            let word = self.word.load(Ordering::SeqCst);
            if word == 0 {
                return false;
            }
            let mut waiting = WAITING[list(word)].lock();
            // It may have been moved to another word meanwhile.
            if self.word.load(Ordering::SeqCst) == word {
                waiting.retain(|other| !Arc::ptr_eq(other, self));
                return true;
            }
        }
    }

    fn is_heir(&self, word: usize) -> bool {
        self.bits == INHERITS && self.word.load(Ordering::SeqCst) == word
    }

    fn wake(&self) {
        self.word.store(0, Ordering::SeqCst);
        task::unpark(&self.thread);
    }
}

/// Wakes at most `most` of those who wait for `word` with one of `bits`, the greatest priority first, and the longest waiting among equals; how many it were.
pub fn wake(word: usize, most: usize, bits: u32) -> usize {
    let mut waiting = WAITING[list(word)].lock_in_line();
    if waiting.is_empty() { 0 } else { take(&mut waiting, word, most, bits) }
}

fn take(waiting: &mut Vec<Arc<Ticket>>, word: usize, most: usize, bits: u32) -> usize {
    let mut woken = 0;
    waiting.retain(|ticket| {
        let is_one = woken < most && ticket.bits & bits != 0 && ticket.word.load(Ordering::SeqCst) == word;
        if is_one {
            ticket.wake();
            woken += 1;
        }
        !is_one
    });
    woken
}

/// Two lists of waiters, locked; the second is none if both words are in one.
struct Both<'a> {
    one: MutexGuard<'a, Vec<Arc<Ticket>>>,
    other: Option<MutexGuard<'a, Vec<Arc<Ticket>>>>,
}

impl Both<'_> {
    /// Locks the lists of two words, in an order that is the same for all.
    fn lock([from, to]: [usize; 2]) -> Self {
        let (from, to) = (list(from), list(to));
        if from == to {
            return Self { one: WAITING[from].lock(), other: None };
        }
        let lower = WAITING[from.min(to)].lock();
        let upper = WAITING[from.max(to)].lock();
        let (one, other) = if from < to { (lower, upper) } else { (upper, lower) };
        Self { one, other: Some(other) }
    }

    fn second(&mut self) -> &mut Vec<Arc<Ticket>> {
        self.other.as_mut().unwrap_or(&mut self.one)
    }
}

/// Wakes at most `wakes` of those who wait for the first word, and has at most `moves` others wait for the second, if
/// `holds` is true, which is asked while nobody comes or goes. How many were woken, and moved.
pub fn requeue<E>(
    words: [usize; 2],
    [wakes, moves]: [usize; 2],
    holds: impl FnOnce() -> Result<(), E>,
) -> Result<(usize, usize), E> {
    let mut both = Both::lock(words);
    holds()?;
    let woken = take(&mut both.one, words[0], wakes, u32::MAX);
    let mut moved = 0;
    let Both { one, other } = &mut both;
    one.retain(|ticket| {
        if moved == moves || ticket.bits == INHERITS || ticket.word.load(Ordering::SeqCst) != words[0] {
            return true;
        }
        moved += 1;
        ticket.word.store(words[1], Ordering::SeqCst);
        if let Some(other) = other {
            ticket.enter(other);
        }
        other.is_none()
    });
    Ok((woken, moved))
}

/// Has `change` change the second word; then wakes at most `wakes` who wait for the first, and, if that says so, at most
/// `others` who wait for the second. How many were woken.
pub fn wake_both<E>(
    words: [usize; 2],
    [wakes, others]: [usize; 2],
    change: impl FnOnce() -> Result<bool, E>,
) -> Result<usize, E> {
    let mut both = Both::lock(words);
    let wakes_second = change()?;
    let mut woken = take(&mut both.one, words[0], wakes, u32::MAX);
    if wakes_second {
        woken += take(both.second(), words[1], others, u32::MAX);
    }
    Ok(woken)
}

/// Whether somebody waits for a lock to be handed to them.
#[inline]
pub fn somebody_inherits() -> bool {
    HEIRS.load(Ordering::SeqCst) > 0
}

/// The words of locks that somebody waits to be handed.
pub fn words_of_heirs() -> Vec<usize> {
    let mut words = Vec::new();
    for waiting in &WAITING {
        let waiting = waiting.lock();
        let heirs = waiting.iter().filter(|ticket| ticket.bits == INHERITS);
        words.extend(heirs.map(|ticket| ticket.word.load(Ordering::SeqCst)));
    }
    words
}

/// Lets go of a lock that hands itself on: `release` is told the id of who goes first of those who wait for `word`, if
/// anybody has, and whether others still wait, and changes the word; then that one is woken.
pub fn hand_on<E>(word: usize, release: impl FnOnce(Option<u32>, bool) -> Result<(), E>) -> Result<(), E> {
    let mut waiting = WAITING[list(word)].lock();
    let heirs = || waiting.iter().enumerate().filter(|(_, ticket)| ticket.is_heir(word)).map(|(index, _)| index);
    let (heir, more) = (heirs().next(), heirs().nth(1).is_some());
    release(heir.map(|index| linux(&waiting[index].thread).id()), more)?;
    if let Some(heir) = heir {
        waiting.remove(heir).wake();
    }
    Ok(())
}
