//! Queues that shall interrupt, and the wait that they end.
//!
//! One processor at a time watches a queue. It takes all that are to be watched when it begins to wait, and gives those
//! back of which nothing was heard. What was heard is one interrupt: it is not watched again before somebody asks.

use core::sync::atomic::{
    AtomicU64,
    Ordering::{Relaxed, SeqCst},
};

use nic::Interrupts;

use super::FIRST;
use crate::{
    devices::polling,
    host::files::{self, POLLIN, POLLOUT, Poll},
};

/// What is waited for besides: the streams, and changes of sockets.
pub const OTHERS: usize = 4;
/// Which of them are changes of sockets.
const CHANGES: usize = 3;
/// Most queues of all interfaces: as many as a word has bits.
const QUEUES: usize = 64;

/// Queues that somebody wants to hear of, by what for, and those of them that nobody watches: bit `queue`.
static WANTED: [AtomicU64; 2] = [const { AtomicU64::new(0) }; 2];
static UNWATCHED: [AtomicU64; 2] = [const { AtomicU64::new(0) }; 2];

/// Queues of which it was heard that something has come, and at which nobody has looked since.
static HEARD: AtomicU64 = AtomicU64::new(0);

/// Of the two words.
const EVENTS: [i16; 2] = [POLLIN, POLLOUT];

/// Says what a queue shall interrupt for; `false` if there are too many queues.
pub fn set(queue: usize, wanted: Interrupts) -> bool {
    if queue >= QUEUES {
        return false;
    }
    let bit = 1 << queue;
    for (index, event) in [Interrupts::RECEIVED, Interrupts::ROOM].into_iter().enumerate() {
        if wanted.contains(event) {
            WANTED[index].fetch_or(bit, SeqCst);
            UNWATCHED[index].fetch_or(bit, SeqCst);
        } else {
            WANTED[index].fetch_and(!bit, SeqCst);
            UNWATCHED[index].fetch_and(!bit, SeqCst);
        }
    }
    true
}

/// Somebody has looked what has come to a queue, and has found packets or not. An interruption that brought none, as by
/// a part of a frame, was none: whoever looked has no reason to ask for the next one.
pub fn looked(queue: usize, found: bool) {
    let bit = 1_u64.checked_shl(queue as u32).unwrap_or(0);
    if HEARD.load(Relaxed) & bit == 0 {
        return;
    }
    HEARD.fetch_and(!bit, SeqCst);
    if !found {
        WANTED[0].fetch_or(bit, SeqCst);
        UNWATCHED[0].fetch_or(bit, SeqCst);
    }
}

/// Whether there are queues to be watched that nobody watches.
#[inline(always)]
pub fn is_watched() -> bool {
    UNWATCHED[0].load(Relaxed) | UNWATCHED[1].load(Relaxed) != 0
}

/// Waits for a signal, for one of `others`, or for a queue that is to be watched.
pub fn wait(others: [Poll; OTHERS]) {
    if !is_watched() {
        let mut others = others;
        return if others[CHANGES].descriptor < 0 {
            let _ = files::poll_unblocked(&mut others, None);
        } else {
            polling::wait(&mut others);
        };
    }
    wait_for_queues(others);
}

fn wait_for_queues(others: [Poll; OTHERS]) {
    let mine = UNWATCHED.each_ref().map(|word| word.swap(0, SeqCst));
    let mut polls = [Poll::default(); OTHERS + QUEUES];
    polls[..OTHERS].copy_from_slice(&others);
    let mut count = OTHERS;
    for queue in (0..QUEUES).filter(|queue| (mine[0] | mine[1]) >> queue & 1 != 0) {
        let events = EVENTS.into_iter().zip(mine).filter(|(_, word)| word >> queue & 1 != 0);
        let events = events.fold(0, |all, (event, _)| all | event);
        polls[count] = Poll { descriptor: FIRST + queue as i32, events, found: 0 };
        count += 1;
    }
    polling::wait(&mut polls[..count]);
    let heard = polls[OTHERS..count].iter().filter(|poll| poll.found != 0);
    let heard = heard.fold(0, |all: u64, poll| all | 1 << (poll.descriptor - FIRST));
    HEARD.fetch_or(mine[0] & heard, SeqCst);
    for (index, mine) in mine.into_iter().enumerate() {
        WANTED[index].fetch_and(!(mine & heard), SeqCst);
        let silent = mine & !heard;
        UNWATCHED[index].fetch_or(silent & WANTED[index].load(SeqCst), SeqCst);
    }
}
