//! Those who wait for words of memory, as futex(2) has it: found by their word, the greatest priority first, and the
//! longest waiting among equals (Linux' `plist`).
//!
//! Words are spread over lists, and each list is a search tree that is linked through those who wait, so a wait
//! allocates its place and nothing else. A member knows what could wake somebody in its subtree: who wakes, moves or
//! leaves takes steps by the logarithm of those in the list, however many others wait for the same word.
//!
//! Unsafe: a tree holds an `Arc` of each of its members, as a raw pointer.
#![allow(unsafe_code)]

use alloc::{sync::Arc, vec::Vec};
use core::ptr::NonNull;

use intrusive::{Linked, Links, Ordered, Ref, Tree, Word, below};

use crate::{
    Mutex, MutexGuard,
    atomic::{AtomicUsize, Ordering::SeqCst},
};

pub mod owned;
mod owners;
pub mod robust;
#[cfg(all(test, not(loom)))]
mod tests;

pub use owners::Owners;

/// What a word is known by: its address in an address space, or its place in what several show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    /// The address, or the place, which four divides.
    pub at: usize,
    /// Whose it is: a number that no other address space and no file has meanwhile.
    pub owner: usize,
}

/// Lists that words are spread over.
const LISTS: usize = 64;

/// Those who wait, and their words. It lives for ever, so that places can lead back to it.
pub struct Words<T: 'static> {
    lists: [Mutex<List<T>>; LISTS],
}

/// Those whose words come to one list.
struct List<T: 'static> {
    tree: Tree<Place<T>>,
    /// The number of the next one who enters.
    next: Word,
}

/// The place of one who waits.
pub struct Place<T: 'static> {
    links: Links<Self>,
    words: &'static Words<T>,
    /// Who waits.
    pub who: T,
    /// Bits of which a wake must name one.
    kinds: u64,
    /// The same of all in the subtree.
    kinds_below: Word,
    /// Its turn among those of the word, the lowest first: what its priority lacks, and behind that its number in the
    /// list.
    turn: Word,
    /// The word's key.
    owner: Word,
    at: Word,
    /// The number of the list it is in, or [`GONE`]. Changes under that list's lock, and so does what is above.
    list: AtomicUsize,
}

/// The bits of a turn that say what the priority lacks. A list never has so many numbers as are below.
const LACKS: u64 = 0xff << 56;

/// It is in no list any more.
const GONE: usize = usize::MAX;

impl<T> Linked for Place<T> {
    fn links(&self) -> &Links<Self> {
        &self.links
    }
}

impl<T> Place<T> {
    fn key(&self) -> Key {
        Key { owner: self.owner.get() as usize, at: self.at.get() as usize }
    }
}

impl<T> Ordered for Place<T> {
    fn precedes(&self, other: &Self) -> bool {
        #[cfg(all(test, not(loom)))]
        tests::count_step();
        let (key, others) = (self.key(), other.key());
        key < others || key == others && self.turn.get() < other.turn.get()
    }

    fn refresh(&self, before: Option<Ref<Self>>, after: Option<Ref<Self>>) -> bool {
        #[cfg(all(test, not(loom)))]
        tests::count_step();
        let below = |member: Option<Ref<Self>>| member.map_or(0, |member| member.kinds_below.get());
        let kinds = self.kinds | below(before) | below(after);
        let changes = kinds != self.kinds_below.get();
        self.kinds_below.set(kinds);
        changes
    }
}

fn list_of(key: Key) -> usize {
    // Fibonacci hashing: words of one structure come to different lists.
    (key.at >> 2 ^ key.owner).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (usize::BITS - LISTS.trailing_zeros())
}

/// Puts a place, that is in no list, in this one, behind its equals.
fn enter<T>(list: &List<T>, place: Arc<Place<T>>) {
    let number = list.next.get();
    list.next.set(number + 1);
    place.turn.set(place.turn.get() & LACKS | number);
    enter_again(list, place);
}

/// Puts a place, that is in no list, where its number has it.
fn enter_again<T>(list: &List<T>, place: Arc<Place<T>>) {
    // SAFETY: the list has a share of the place until `leave` takes it back, and places do not move.
    list.tree.insert(unsafe { Ref::new(NonNull::new_unchecked(Arc::into_raw(place).cast_mut())) });
}

/// Takes a place, that is in this list, out of it.
fn leave<T>(list: &List<T>, place: Ref<Place<T>>) -> Arc<Place<T>> {
    list.tree.remove(place);
    // SAFETY: the share that `enter` gave to the list, which nobody else has taken back: it was still in there.
    unsafe { Arc::from_raw(place.pointer().as_ptr()) }
}

/// Who goes first of those who wait for `word` with one of `kinds`.
fn first<T>(list: &List<T>, word: Key, kinds: u64) -> Option<Ref<Place<T>>> {
    let matches = |place: Ref<Place<T>>| place.kinds & kinds != 0;
    let holds = |subtree: Option<Ref<Place<T>>>| subtree.filter(|root| root.kinds_below.get() & kinds != 0);
    // Down to where the word's first one would be. All from there on are the places at which the way goes to the
    // left, each with what is behind it; the last of these that will do is nearest.
    let (mut at, mut nearest) = (list.tree.root(), None);
    while let Some(place) = at {
        #[cfg(all(test, not(loom)))]
        tests::count_step();
        let (before, after) = below(place);
        at = if place.key() < word {
            after
        } else {
            if matches(place) || holds(after).is_some() {
                nearest = Some(place);
            }
            before
        };
    }
    let mut found = nearest?;
    // Not that one itself, but the first behind it.
    if !matches(found) {
        found = below(found).1?;
        loop {
            #[cfg(all(test, not(loom)))]
            tests::count_step();
            let (before, after) = below(found);
            found = match holds(before) {
                Some(before) => before,
                None if matches(found) => break,
                None => after?,
            };
        }
    }
    (found.key() == word).then_some(found)
}

/// Wakes at most `most`; how many it were.
// Apart: most wakes find an empty list, and save no registers for this.
#[inline(never)]
fn take<T>(list: &List<T>, word: Key, most: usize, kinds: u64, wake: &impl Fn(&T)) -> usize {
    let mut woken = 0;
    while woken < most
        && let Some(place) = first(list, word, kinds)
    {
        let place = leave(list, place);
        place.list.store(GONE, SeqCst);
        wake(&place.who);
        woken += 1;
    }
    woken
}

/// The lists of two words, locked; the second is none if both words are in one.
struct Both<T: 'static> {
    one: MutexGuard<'static, List<T>>,
    other: Option<MutexGuard<'static, List<T>>>,
}

impl<T> Both<T> {
    fn second(&self) -> &List<T> {
        self.other.as_deref().unwrap_or(&self.one)
    }
}

impl<T> Default for Words<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> Words<T> {
    /// Nobody waits.
    #[must_use]
    pub const fn new() -> Self {
        Self { lists: [const { Mutex::new(List { tree: Tree::new(), next: Word::new(0) }) }; LISTS] }
    }

    /// `who` waits for `word` until a wake names one of `kinds`; if `holds` is true, which
    /// is asked while nobody can wake it.
    pub fn wait<E>(
        &'static self,
        word: Key,
        kinds: u64,
        priority: u8,
        who: T,
        holds: impl FnOnce() -> Result<(), E>,
    ) -> Result<Arc<Place<T>>, E> {
        let number = list_of(word);
        let turn = Word::new(u64::from(u8::MAX - priority) << 56);
        let (owner, at) = (Word::new(word.owner as u64), Word::new(word.at as u64));
        let (links, kinds_below, list) = (Links::new(), Word::new(0), AtomicUsize::new(number));
        let place = Arc::new(Place { links, words: self, who, kinds, kinds_below, turn, owner, at, list });
        let list = self.lists[number].lock();
        holds()?;
        enter(&list, Arc::clone(&place));
        Ok(place)
    }

    /// Wakes, by `wake`, at most `most` of those who wait for `word` with one of `kinds`; how many it were.
    #[inline(always)]
    pub fn wake(&'static self, word: Key, most: usize, kinds: u64, wake: impl Fn(&T)) -> usize {
        let list = self.lists[list_of(word)].lock_in_line();
        if list.tree.root().is_none() { 0 } else { take(&list, word, most, kinds, &wake) }
    }

    /// Locks the lists of two words, in an order that is the same for all.
    fn lock_both(&'static self, [from, to]: [Key; 2]) -> Both<T> {
        let (from, to) = (list_of(from), list_of(to));
        if from == to {
            return Both { one: self.lists[from].lock(), other: None };
        }
        let lower = self.lists[from.min(to)].lock();
        let upper = self.lists[from.max(to)].lock();
        let (one, other) = if from < to { (lower, upper) } else { (upper, lower) };
        Both { one, other: Some(other) }
    }

    /// Wakes at most `wakes` of those who wait for the first word with one of `kinds`, and has at most `moves` others
    /// wait for the second, if `holds` is true, which is asked while nobody comes or goes. How many were woken, and
    /// moved.
    pub fn requeue<E>(
        &'static self,
        words: [Key; 2],
        [wakes, moves]: [usize; 2],
        kinds: u64,
        holds: impl FnOnce() -> Result<(), E>,
        wake: impl Fn(&T),
    ) -> Result<(usize, usize), E> {
        let both = self.lock_both(words);
        holds()?;
        let woken = take(&both.one, words[0], wakes, kinds, &wake);
        let mut moved = 0;
        // Who is moved to the word it waits for counts, and goes back to its place.
        let mut stay = Vec::new();
        while moved < moves
            && let Some(place) = first(&both.one, words[0], kinds)
        {
            moved += 1;
            let place = leave(&both.one, place);
            if words[0] == words[1] {
                stay.push(place);
            } else {
                place.owner.set(words[1].owner as u64);
                place.at.set(words[1].at as u64);
                place.list.store(list_of(words[1]), SeqCst);
                enter(both.second(), place);
            }
        }
        stay.into_iter().for_each(|place| enter_again(&both.one, place));
        Ok((woken, moved))
    }

    /// Has `change` change the second word; then wakes at most `wakes` who wait for the first, and, if that says so, at
    /// most `others` who wait for the second. How many were woken.
    pub fn wake_both<E>(
        &'static self,
        words: [Key; 2],
        [wakes, others]: [usize; 2],
        kinds: u64,
        change: impl FnOnce() -> Result<bool, E>,
        wake: impl Fn(&T),
    ) -> Result<usize, E> {
        let both = self.lock_both(words);
        let wakes_second = change()?;
        let mut woken = take(&both.one, words[0], wakes, kinds, &wake);
        if wakes_second {
            woken += take(both.second(), words[1], others, kinds, &wake);
        }
        Ok(woken)
    }

    /// Hands something on to the one who goes first of those who wait for `word` with one of `kinds`: `release` is told
    /// who that is, if anybody, and whether others wait behind; if it agrees, that one is woken.
    pub fn hand_on<E>(
        &'static self,
        word: Key,
        kinds: u64,
        release: impl FnOnce(Option<&T>, bool) -> Result<(), E>,
        wake: impl Fn(&T),
    ) -> Result<(), E> {
        let list = self.lists[list_of(word)].lock();
        let Some(heir) = first(&list, word, kinds) else { return release(None, false) };
        // Out of the list for a moment, which is locked, to see who is behind.
        let heir = leave(&list, heir);
        let more = first(&list, word, kinds).is_some();
        if let Err(error) = release(Some(&heir.who), more) {
            enter_again(&list, heir);
            return Err(error);
        }
        heir.list.store(GONE, SeqCst);
        wake(&heir.who);
        Ok(())
    }
}

impl<T> Place<T> {
    /// Whether it was woken.
    #[must_use]
    pub fn is_woken(&self) -> bool {
        self.list.load(SeqCst) == GONE
    }

    /// Gives the wait up; `false` if it was woken, or given up, already.
    pub fn give_up(self: &Arc<Self>) -> bool {
        loop {
            let number = self.list.load(SeqCst);
            if number == GONE {
                return false;
            }
            let list = self.words.lists[number].lock();
            // It may have been moved to another list meanwhile.
            if self.list.load(SeqCst) == number {
                // SAFETY: it is in this list, whose share keeps it, and the pointer is an `Arc`'s.
                let place = unsafe { Ref::new(NonNull::new_unchecked(Arc::as_ptr(self).cast_mut())) };
                drop(leave(&list, place));
                self.list.store(GONE, SeqCst);
                return true;
            }
        }
    }
}
