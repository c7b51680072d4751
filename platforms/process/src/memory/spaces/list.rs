//! The spaces that there are, and were: their records stay, and are used again.

use core::{
    ptr,
    sync::atomic::{
        AtomicBool, AtomicI32, AtomicPtr, AtomicU8, AtomicU32,
        Ordering::{Relaxed, SeqCst},
    },
};

use crate::{
    host::{files, process},
    memory::{anchor::Anchor, mappings::Count},
    per_cpu::seat::Seat,
    watcher,
};

/// What [`Space::state`] says: somebody has it; it is empty, and its process waits for the next who wants one; its
/// process is to end; the process has ended, so that nothing uses the record's seats.
const LIVES: u8 = 0;
const KEPT: u8 = 1;
const ENDS: u8 = 2;
const GONE: u8 = 3;

/// Processes that may have ended with the watcher told nothing, so that nobody has waited for them yet: it costs two
/// turns of the host's to tell it. Who makes the next space waits for them.
const MOST_QUIET: u32 = 4;

/// How many there are.
static QUIET: AtomicU32 = AtomicU32::new(0);

/// Files of `/proc/self` that a space has open: they are about the process that opened them.
#[derive(Clone, Copy, Debug)]
#[repr(usize)]
pub enum OwnFile {
    /// Its memory.
    Memory,
    /// A word for each of its pages.
    Pages,
    /// Its sizes.
    Sizes,
}

/// An address space.
#[derive(Debug)]
pub struct Space {
    /// The one that was made before it.
    before: AtomicPtr<Self>,
    state: AtomicU8,
    /// Whether its process is one of [`QUIET`].
    quiet: AtomicBool,
    /// The host's number of the process.
    process: AtomicU32,
    /// The seat that was made last; the others follow it.
    seats: AtomicPtr<Seat>,
    /// Descriptors, each one more than the host's number; 0 where the file is not open.
    files: [AtomicI32; 3],
    /// Copies that have been made of its process, and before that of those that it is a copy of.
    copies: AtomicU32,
    /// What is known of how many mappings it has.
    pub mappings: Count,
    /// The page that keeps tables.
    pub anchor: Anchor,
}

/// The first one.
pub static FIRST: Space = Space::new();

/// The one that was made last.
static LAST: AtomicPtr<Space> = AtomicPtr::new((&raw const FIRST).cast_mut());

/// All of them.
pub fn all() -> impl Iterator<Item = &'static Space> {
    // SAFETY: records live for ever, and nobody takes one out of the list.
    let at = |place: &AtomicPtr<Space>| unsafe { place.load(SeqCst).as_ref() };
    core::iter::successors(at(&LAST), move |space| at(&space.before))
}

/// Waits for processes that have ended with the watcher told nothing. The caller is in the first process.
pub fn wait_for_quiet() {
    // The watcher may be faster: then there is no such process, or it is none's (0).
    let quiet = all().filter(|space| space.quiet.load(SeqCst)).map(Space::process);
    for number in quiet.filter(|&number| number != 0) {
        if let Ok(Some((_, status))) = process::ended(Some(number))
            && !Space::ended(number)
        {
            watcher::lost(status);
        }
    }
}

/// Those that are empty, and kept for the next who wants one.
pub fn kept() -> impl Iterator<Item = &'static Space> {
    all().filter(|space| space.state.load(SeqCst) == KEPT)
}

impl Space {
    /// A record of no process yet.
    pub const fn new() -> Self {
        Self {
            before: AtomicPtr::new(ptr::null_mut()),
            state: AtomicU8::new(LIVES),
            quiet: AtomicBool::new(false),
            process: AtomicU32::new(0),
            seats: AtomicPtr::new(ptr::null_mut()),
            files: [const { AtomicI32::new(0) }; 3],
            copies: AtomicU32::new(0),
            mappings: Count::new(),
            anchor: Anchor::new(),
        }
    }

    /// Puts a new record into the list. The caller is the only one who does so now.
    pub fn enlist(&'static self) {
        self.before.store(LAST.load(SeqCst), SeqCst);
        LAST.store(ptr::from_ref(self).cast_mut(), SeqCst);
    }

    /// Whether somebody has it, so that it holds what is a program's.
    pub fn lives(&self) -> bool {
        self.state.load(SeqCst) == LIVES
    }

    /// It is empty now, and kept.
    pub fn keep(&self) {
        self.state.store(KEPT, SeqCst);
    }

    /// Somebody has it again, if it was kept.
    pub fn reuse(&self) -> bool {
        let kept = self.state.compare_exchange(KEPT, LIVES, SeqCst, SeqCst).is_ok();
        if kept {
            self.mappings.begin_anew();
        }
        kept
    }

    /// Somebody has it again, in a new process, if its last one has ended.
    pub fn begin_anew(&self) -> bool {
        let gone = self.state.compare_exchange(GONE, LIVES, SeqCst, SeqCst).is_ok();
        if gone {
            self.seats().for_each(Seat::forget);
            // Only the process's first seat has a host thread again.
            if let Some(first) = self.seats().last() {
                let further = self.seats.swap(ptr::from_ref(first).cast_mut(), SeqCst);
                spare(further, first);
            }
            for file in &self.files {
                if let Some(descriptor) = descriptor(file.swap(0, SeqCst)) {
                    files::close(descriptor);
                }
            }
        }
        gone
    }

    /// How many copies have been made of its process, and of those that it is a copy of in a line.
    pub fn copies(&self) -> u32 {
        self.copies.load(Relaxed)
    }

    /// It is one more copy of `original`. The caller is the only one who makes spaces now.
    pub fn inherit_copies(&self, original: &Self) {
        let copies = original.copies().saturating_add(1);
        original.copies.store(copies, Relaxed);
        self.copies.store(copies, Relaxed);
    }

    /// Has its process end. Nobody is in it.
    pub fn end(&self) {
        self.is_to_end();
        if let Some(first) = self.seats().last().filter(|_| self.may_be_quiet()) {
            first.last_word.take_back();
        }
        if let Some(seat) = self.seats().next() {
            seat.end();
        }
    }

    /// Has its process end when the processor leaves `seat`, the only one of it that is taken.
    pub fn end_when_left(&self, seat: &Seat) {
        self.is_to_end();
        let is_first = self.seats().last().is_some_and(|first| ptr::eq(first, seat));
        seat.end_when_left(is_first && self.may_be_quiet());
    }

    fn is_to_end(&self) {
        self.state.store(ENDS, SeqCst);
        self.seats().for_each(Seat::lose_timers);
    }

    /// Whether the watcher need not be told: then it is one of [`QUIET`].
    fn may_be_quiet(&self) -> bool {
        let may = QUIET.fetch_add(1, SeqCst) < MOST_QUIET;
        if !may {
            QUIET.fetch_sub(1, SeqCst);
        }
        self.quiet.store(may, SeqCst);
        may
    }

    /// The process with this number has ended: whether it was to. It was not yet, if a processor was still in it, which
    /// is lost with it.
    pub fn ended(process: u32) -> bool {
        let is_it = |space: &&'static Self| space.process.load(SeqCst) == process && space.state.load(SeqCst) == ENDS;
        let Some(space) = all().find(is_it).filter(|space| !space.is_taken()) else { return false };
        if space.quiet.swap(false, SeqCst) {
            QUIET.fetch_sub(1, SeqCst);
        }
        space.process.store(0, SeqCst);
        space.state.store(GONE, SeqCst);
        true
    }

    /// No process came of it.
    pub fn fail(&self) {
        self.state.store(GONE, SeqCst);
    }

    /// Notes which process of the host's it is.
    pub fn set_process(&self, process: u32) {
        self.process.store(process, SeqCst);
    }

    /// The host's number of its process.
    pub fn process(&self) -> u32 {
        self.process.load(SeqCst)
    }

    /// Its seats.
    pub fn seats(&self) -> impl Iterator<Item = &'static Seat> {
        // SAFETY: seats live for ever.
        core::iter::successors(unsafe { self.seats.load(SeqCst).as_ref() }, |seat| seat.next())
    }

    /// One more seat, before it is used.
    pub fn add(&self, seat: &'static Seat) {
        let place = ptr::from_ref(seat).cast_mut();
        let mut first = self.seats.load(SeqCst);
        loop {
            seat.put_before(first);
            match self.seats.compare_exchange(first, place, SeqCst, SeqCst) {
                Ok(_) => return,
                Err(other) => first = other,
            }
        }
    }

    /// Whether a processor is in it, or comes to it.
    pub fn is_taken(&self) -> bool {
        self.seats().any(Seat::is_taken)
    }

    /// A seat of it for this processor, if one is free.
    pub fn free_seat(&self) -> Option<&'static Seat> {
        self.seats().find(|seat| seat.take())
    }

    /// A file of `/proc/self`, of this space's process: where the processor is now. `open` opens it at the first
    /// question.
    pub fn file(&self, which: OwnFile, open: impl FnOnce() -> Option<i32>) -> Option<i32> {
        let place = &self.files[which as usize];
        let known = descriptor(place.load(Relaxed));
        known.or_else(|| {
            let opened = open()?;
            // Another processor may have been faster; that costs a descriptor.
            place.store(opened + 1, Relaxed);
            Some(opened)
        })
    }

    /// The same, if it is open.
    pub fn opened(&self, which: OwnFile) -> Option<i32> {
        descriptor(self.files[which as usize].load(Relaxed))
    }
}

/// Seats of processes that have ended, beyond the first of each.
static SPARE: AtomicPtr<Seat> = AtomicPtr::new(ptr::null_mut());

/// Puts the seats from `from` on by, up to `end`. The caller is the only one who makes spaces now.
fn spare(from: *mut Seat, end: &'static Seat) {
    let mut at = from;
    // SAFETY: seats live for ever.
    while let Some(seat) = unsafe { at.as_ref() }.filter(|seat| !ptr::eq(*seat, end)) {
        at = seat.next().map_or(ptr::null_mut(), |next| ptr::from_ref(next).cast_mut());
        give_spare(seat);
    }
}

fn give_spare(seat: &'static Seat) {
    let mut first = SPARE.load(SeqCst);
    loop {
        seat.put_before(first);
        match SPARE.compare_exchange(first, ptr::from_ref(seat).cast_mut(), SeqCst, SeqCst) {
            Ok(_) => return,
            Err(other) => first = other,
        }
    }
}

/// A seat that was put by. One asks at a time.
pub fn take_spare() -> Option<&'static Seat> {
    loop {
        let first = SPARE.load(SeqCst);
        // SAFETY: seats live for ever.
        let seat = unsafe { first.as_ref() }?;
        let next = seat.next().map_or(ptr::null_mut(), |next| ptr::from_ref(next).cast_mut());
        if SPARE.compare_exchange(first, next, SeqCst, SeqCst).is_ok() {
            return Some(seat);
        }
    }
}

const fn descriptor(word: i32) -> Option<i32> {
    if word == 0 { None } else { Some(word - 1) }
}
