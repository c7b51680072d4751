//! Who waits for which word.

use alloc::{sync::Arc, vec::Vec};
use core::sync::atomic::{AtomicUsize, Ordering};

use kernel::task::{self, Thread};
use sync::Mutex;

/// Lists that words are spread over.
const LISTS: usize = 64;

static WAITING: [Mutex<Vec<Arc<Ticket>>>; LISTS] = [const { Mutex::new(Vec::new()) }; LISTS];

/// A thread that waits.
pub struct Ticket {
    thread: Arc<Thread>,
    bits: u32,
    /// The word's address; 0 when it has been woken. Changes under the lock of the list it is in.
    word: AtomicUsize,
}

fn list(word: usize) -> usize {
    // Fibonacci hashing: words of one structure come to different lists.
    (word >> 2).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (usize::BITS - LISTS.trailing_zeros())
}

impl Ticket {
    /// The running thread waits for `word` if `holds` is true, which is asked while nobody can wake it.
    pub fn draw<E>(word: usize, bits: u32, holds: impl FnOnce() -> Result<(), E>) -> Result<Arc<Self>, E> {
        let ticket = Arc::new(Self { thread: task::current().handle(), bits, word: AtomicUsize::new(word) });
        let mut waiting = WAITING[list(word)].lock();
        holds()?;
        waiting.push(Arc::clone(&ticket));
        Ok(ticket)
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

    fn wake(&self) {
        self.word.store(0, Ordering::SeqCst);
        task::unpark(&self.thread);
    }
}

/// Wakes at most `most` of those who wait for `word` with one of `bits`, the longest waiting first; how many it were.
pub fn wake(word: usize, most: usize, bits: u32) -> usize {
    take(&mut WAITING[list(word)].lock(), word, most, bits)
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

/// Wakes at most `wakes` of those who wait for `from`, and has at most `moves` others wait for `to`, if `holds` is
/// true, which is asked while nobody comes or goes. How many were woken, and moved.
pub fn requeue<E>(
    [from, to]: [usize; 2],
    [wakes, moves]: [usize; 2],
    holds: impl FnOnce() -> Result<(), E>,
) -> Result<(usize, usize), E> {
    let (first, second) = (list(from).min(list(to)), list(from).max(list(to)));
    let mut one = WAITING[first].lock();
    let mut other = (first != second).then(|| WAITING[second].lock());
    holds()?;
    let from_is_first = list(from) == first;
    let (source, mut target) = match &mut other {
        None => (&mut *one, None),
        Some(other) if from_is_first => (&mut *one, Some(&mut **other)),
        Some(other) => (&mut **other, Some(&mut *one)),
    };
    let woken = take(source, from, wakes, u32::MAX);
    let mut moved = 0;
    source.retain(|ticket| {
        if moved == moves || ticket.word.load(Ordering::SeqCst) != from {
            return true;
        }
        moved += 1;
        ticket.word.store(to, Ordering::SeqCst);
        match &mut target {
            Some(target) => {
                target.push(Arc::clone(ticket));
                false
            }
            None => true,
        }
    });
    Ok((woken, moved))
}
