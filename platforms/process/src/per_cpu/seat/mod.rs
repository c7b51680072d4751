//! Seats: the host threads that a processor can be on.
//!
//! An address space is a process of the host's, and a processor that goes to another one goes on in another host
//! thread: all else (its block, the kernel's stacks and data) is at the same addresses in all of them. So the seat that
//! it leaves waits for its next turn, and the one that it takes goes on with the same kernel stack:
//!
//! ```text
//! waits --turn--> has a processor --the processor goes to another seat--> waits
//! ```
//!
//! A seat waits on a small stack of its own. Signals that find it waiting are nobody's: a processor that was called
//! there finds its mark when it has arrived elsewhere, because who calls sets the mark first and asks where it is then.

use core::{
    ptr,
    sync::atomic::{
        AtomicBool, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize,
        Ordering::{Relaxed, SeqCst},
    },
};

use sync::Once;
use x86_64::switch::first_frame;

use super::{Block, SIGNAL_STACK};
use crate::host::thread::LastWord;

mod begin;
mod timers;
mod turn;

pub use begin::{begin, make_wanted};
pub use timers::set_timer;
pub use turn::{Moves, go};

/// Whether the image may have several address spaces.
#[inline(always)]
pub fn several() -> bool {
    contracts::config::config().processes
}

/// Whether there is, or was, a second address space.
static MOVES: AtomicBool = AtomicBool::new(false);

/// Whether processors may go to other seats: there is, or was, a second address space.
#[inline(always)]
pub fn moves() -> bool {
    several() && MOVES.load(Relaxed)
}

/// From now on processors may; the first space is this process of the host's.
pub fn begin_to_move(process: u32, go_to_first: InFirst) {
    IN_FIRST.call_once(|| go_to_first);
    FIRST.store(process, SeqCst);
    MOVES.store(true, SeqCst);
}

/// The host's number of the first process, once there may be others.
static FIRST: AtomicU32 = AtomicU32::new(0);

/// Timers of a seat.
pub const TIMERS: usize = 2;

/// Runs `work` in the first process, by who can go there.
static IN_FIRST: Once<InFirst> = Once::new();

/// See [`in_first`].
pub type InFirst = fn(&mut dyn FnMut());

/// Has the processor be in the first process for `work`: what begins there lasts as long as the machine.
pub fn in_first(work: &mut dyn FnMut()) {
    match IN_FIRST.get() {
        Some(go) => go(work),
        None => work(),
    }
}

/// A host thread that a processor can be on.
#[derive(Debug, Default)]
#[repr(C)]
pub struct Seat {
    /// The processor that is here now.
    runs: AtomicPtr<Block>,
    /// The processor that comes next.
    given: AtomicPtr<Block>,
    /// See [`turn`]; the host thread waits for this word.
    turn: AtomicU32,
    /// Whether a processor is here, on its way, or comes back.
    taken: AtomicBool,
    /// Whether its process ends when the processor that is here has left.
    ends: AtomicBool,
    /// Whether the host is not to tell of that.
    quiet: AtomicBool,
    /// What its host thread had had of the host's time when a processor left last: that was another processor's, or for
    /// another process.
    left: AtomicU64,
    /// The host's number of the thread, and of its process.
    thread: AtomicU32,
    process: AtomicU32,
    /// Where its own stack was left.
    stack: AtomicUsize,
    /// The host's timers, each one more than the host's number; 0 where none has been made.
    timers: [AtomicUsize; TIMERS],
    /// When they ring, as far as known; 0: never, or nobody knows.
    armed: [AtomicU64; TIMERS],
    /// The address space that it is in: a word of who made the seat.
    space: AtomicUsize,
    /// The next seat of the same space.
    next: AtomicPtr<Self>,
    /// A seat for which this host thread is to make another one of its process.
    wanted: AtomicPtr<Self>,
    /// What the host does when the host thread has ended, if it is the first one of its process.
    pub last_word: LastWord,
}

impl Seat {
    /// All zeros.
    pub const fn new() -> Self {
        Self {
            runs: AtomicPtr::new(ptr::null_mut()),
            given: AtomicPtr::new(ptr::null_mut()),
            turn: AtomicU32::new(turn::WAIT),
            taken: AtomicBool::new(false),
            ends: AtomicBool::new(false),
            quiet: AtomicBool::new(false),
            left: AtomicU64::new(0),
            thread: AtomicU32::new(0),
            process: AtomicU32::new(0),
            stack: AtomicUsize::new(0),
            timers: [const { AtomicUsize::new(0) }; TIMERS],
            armed: [const { AtomicU64::new(0) }; TIMERS],
            space: AtomicUsize::new(0),
            next: AtomicPtr::new(ptr::null_mut()),
            wanted: AtomicPtr::new(ptr::null_mut()),
            last_word: LastWord::new(),
        }
    }

    /// A processor begins here.
    pub(super) fn begin_with(&'static self, block: &'static Block) {
        self.runs.store(ptr::from_ref(block).cast_mut(), Relaxed);
        self.taken.store(true, Relaxed);
        block.moves.set_seat(self);
    }

    /// The processor that is here now.
    pub fn processor(&self) -> Option<&'static Block> {
        // SAFETY: blocks live for ever.
        unsafe { self.runs.load(SeqCst).as_ref() }
    }

    /// Addresses of the signal stack that ends here.
    pub fn signal_stack(&self) -> core::ops::Range<usize> {
        let end = ptr::from_ref(self) as usize;
        end - SIGNAL_STACK..end
    }

    /// The word that was given for the address space.
    #[inline(always)]
    pub fn space(&self) -> usize {
        self.space.load(Relaxed)
    }

    /// Whether a processor is here, on its way, or comes back.
    pub fn is_taken(&self) -> bool {
        self.taken.load(SeqCst)
    }

    /// The next one of the same space.
    pub fn next(&self) -> Option<&'static Self> {
        // SAFETY: seats live for ever.
        unsafe { self.next.load(SeqCst).as_ref() }
    }

    /// Makes a seat ready on which a processor is already: of this space, and with a stack of its own below `top`.
    ///
    /// # Safety
    /// The stack is nobody's.
    pub unsafe fn settle(&'static self, space: usize, (process, thread): (u32, u32), top: usize) {
        self.belong(space, process, thread);
        self.armed.iter().for_each(|armed| armed.store(0, Relaxed));
        // SAFETY: the caller's promise.
        self.stack.store(unsafe { first_frame(top, turn::left_first) }, Relaxed);
    }

    /// Notes of which space it is, and which thread of the host's.
    pub fn belong(&self, space: usize, process: u32, thread: u32) {
        self.space.store(space, Relaxed);
        self.process.store(process, Relaxed);
        self.thread.store(thread, SeqCst);
    }

    /// Puts it before `first`, the first seat of its space.
    pub fn put_before(&self, first: *mut Self) {
        self.next.store(first, SeqCst);
    }

    /// Whether it is in the process where the machine began.
    pub fn is_in_first(&self) -> bool {
        !moves() || self.process() == FIRST.load(Relaxed)
    }

    /// The host's number of its process.
    pub fn process(&self) -> u32 {
        self.process.load(Relaxed)
    }

    /// The host's number of its thread.
    pub fn thread(&self) -> u32 {
        self.thread.load(SeqCst)
    }

    /// Takes it for a processor; `false` if another one has it.
    pub fn take(&self) -> bool {
        !self.taken.load(SeqCst) && !self.taken.swap(true, SeqCst)
    }

    /// Nothing is known of it any more: its process is gone.
    pub fn forget(&self) {
        self.turn.store(turn::WAIT, Relaxed);
        self.taken.store(false, Relaxed);
        self.ends.store(false, Relaxed);
        self.left.store(0, Relaxed);
        self.timers.iter().for_each(|timer| timer.store(0, Relaxed));
        self.armed.iter().for_each(|armed| armed.store(0, Relaxed));
    }
}
