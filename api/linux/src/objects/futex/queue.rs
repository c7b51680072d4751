//! Who waits for which word.

use alloc::{sync::Arc, vec::Vec};
use core::sync::atomic::{AtomicUsize, Ordering};

use kernel::task::{self, Thread};
use sync::{
    Mutex,
    words::{Key, Owners, Place, Words},
};

use crate::objects::process::linux;

/// Those who wait.
static WAITING: Words<Waiting> = Words::new();

/// The bits of those who wait for a lock to be handed to them (FUTEX_LOCK_PI): no wake matches.
pub const INHERITS: u32 = 0;
/// The same as a kind of its own, behind the bits that a wake names.
const HEIR: u64 = 1 << 32;
/// All kinds that are woken.
const ANY: u64 = u32::MAX as u64;

/// Whose the locks are that somebody waits to be handed.
static OWNERS: Mutex<Owners> = Mutex::new(Owners::new());

/// How many wait so: most programs have none, and a thread's end need not look for them.
static HEIRS: AtomicUsize = AtomicUsize::new(0);

/// Somebody who waits.
pub struct Waiting {
    thread: Arc<Thread>,
}

/// The place of the running thread.
pub type Ticket = Place<Waiting>;

/// The running thread waits for `word` if `holds` is true, which is asked while nobody can wake it.
pub fn draw<E>(word: Key, bits: u32, holds: impl FnOnce() -> Result<(), E>) -> Result<Arc<Ticket>, E> {
    let kinds = if bits == INHERITS { HEIR } else { u64::from(bits) };
    let thread = task::current().handle();
    // Of a real-time thread, as it is when the wait begins; 0 for the others.
    let priority = task::parameters(&thread).priority;
    WAITING.wait(word, kinds, priority, Waiting { thread }, holds)
}

/// The running thread waits for the lock `word`, at `address`, which is `owner`'s, to be handed to it.
pub fn draw_for_lock<E>(
    word: Key,
    address: usize,
    owner: u32,
    holds: impl FnOnce() -> Result<(), E>,
) -> Result<Arc<Ticket>, E> {
    HEIRS.fetch_add(1, Ordering::SeqCst);
    let ticket = draw(word, INHERITS, || {
        holds()?;
        OWNERS.lock().waits(word, address, owner);
        Ok(())
    });
    if ticket.is_err() {
        HEIRS.fetch_sub(1, Ordering::SeqCst);
    }
    ticket
}

/// Gives the wait for the lock at `word` up; `false` if it was handed on already.
pub fn give_up_lock(ticket: &Arc<Ticket>, word: Key) -> bool {
    let given_up = ticket.give_up();
    if given_up {
        one_heir_less(word);
    }
    given_up
}

fn one_heir_less(word: Key) {
    OWNERS.lock().leaves(word);
    HEIRS.fetch_sub(1, Ordering::SeqCst);
}

fn unpark(waiting: &Waiting) {
    task::unpark(&waiting.thread);
}

/// Wakes at most `most` of those who wait for `word` with one of `bits`, the greatest priority first, and the longest
/// waiting among equals; how many it were.
#[inline(always)]
pub fn wake(word: Key, most: usize, bits: u32) -> usize {
    WAITING.wake(word, most, u64::from(bits), unpark)
}

/// Wakes at most `wakes` of those who wait for the first word, and has at most `moves` others wait for the second, if
/// `holds` is true, which is asked while nobody comes or goes. How many were woken, and moved.
pub fn requeue<E>(
    words: [Key; 2],
    counts: [usize; 2],
    holds: impl FnOnce() -> Result<(), E>,
) -> Result<(usize, usize), E> {
    WAITING.requeue(words, counts, ANY, holds, unpark)
}

/// Has `change` change the second word; then wakes at most `wakes` who wait for the first, and, if that says so, at
/// most `others` who wait for the second. How many were woken.
pub fn wake_both<E>(words: [Key; 2], counts: [usize; 2], change: impl FnOnce() -> Result<bool, E>) -> Result<usize, E> {
    WAITING.wake_both(words, counts, ANY, change, unpark)
}

/// Whether somebody waits for a lock to be handed to them.
#[inline]
pub fn somebody_inherits() -> bool {
    HEIRS.load(Ordering::SeqCst) > 0
}

/// The words of the locks of `owner` that somebody waits to be handed, with their addresses.
pub fn words_of(owner: u32) -> Vec<(Key, usize)> {
    OWNERS.lock().of(owner)
}

/// The lock `word` was found to be `owner`'s.
pub fn note_owner(word: Key, owner: u32) {
    OWNERS.lock().passes(word, owner);
}

/// Lets go of a lock that hands itself on: `release` is told the id of who goes first of those who wait for `word`, if
/// anybody has, and whether others still wait, and changes the word; then that one is woken.
pub fn hand_on<E>(word: Key, release: impl FnOnce(Option<u32>, bool) -> Result<(), E>) -> Result<(), E> {
    WAITING.hand_on(
        word,
        HEIR,
        |heir, more| {
            let heir = heir.map(|heir| linux(&heir.thread).id());
            release(heir, more)?;
            if let Some(heir) = heir {
                note_owner(word, heir);
                one_heir_less(word);
            }
            Ok(())
        },
        unpark,
    )
}
