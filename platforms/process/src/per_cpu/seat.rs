//! Seats: the host threads that a processor can be on.
//!
//! An address space is a process of the host's, and a processor that goes to another one goes on in another host thread:
//! all else (its block, the kernel's stacks and data) is at the same addresses in all of them. So the seat that it
//! leaves waits for its next turn, and the one that it takes goes on with the same kernel stack:
//!
//! ```text
//! waits --turn--> has a processor --the processor goes to another seat--> waits
//! ```
//!
//! A seat waits on a small stack of its own. Signals that find it waiting are nobody's: a processor that was called there
//! finds its mark when it has arrived elsewhere, because who calls sets the mark first and asks where it is then.

use core::{
    ptr,
    sync::atomic::{
        AtomicBool, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize,
        Ordering::{Relaxed, SeqCst},
    },
};

use sync::Once;
use x86_64::switch::{first_frame, switch};

use super::{Block, SIGNAL_STACK, current};
use crate::host::{
    self, process,
    signal::{self, ALARM, CALL},
    thread,
    time::{self, ClockId},
};

/// Whether the image may have several address spaces.
#[inline(always)]
pub fn several() -> bool {
    contracts::config::config().address_spaces
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

/// What [`Seat::turn`] says: wait, go on with the processor that is given, end the process.
const WAIT: u32 = 0;
const GO_ON: u32 = 1;
const END: u32 = 2;

/// A host thread that a processor can be on.
#[derive(Debug, Default)]
#[repr(C)]
pub struct Seat {
    /// The processor that is here now.
    runs: AtomicPtr<Block>,
    /// The processor that comes next.
    given: AtomicPtr<Block>,
    /// [`WAIT`] and its relatives; the host thread waits for this word.
    turn: AtomicU32,
    /// Whether a processor is here, on its way, or comes back.
    taken: AtomicBool,
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
}

/// What a processor has that goes from seat to seat.
#[derive(Debug, Default)]
pub struct Moves {
    /// Where it is.
    pub(super) seat: AtomicPtr<Seat>,
    /// Where it goes, and whether it comes back.
    next: AtomicPtr<Seat>,
    keeps: AtomicBool,
    /// Where the kernel stack was left that it goes on with.
    resume: AtomicUsize,
    /// What its timers are to ring at, in nanoseconds of the monotonic clock; 0 is never.
    deadlines: [AtomicU64; TIMERS],
    /// What its time is ahead of its host thread's, modulo 2^64; on the way all of it.
    time: AtomicU64,
    /// Its time when it came to this seat.
    arrived: AtomicU64,
}

impl Moves {
    /// All zeros.
    pub const fn new() -> Self {
        Self {
            seat: AtomicPtr::new(ptr::null_mut()),
            next: AtomicPtr::new(ptr::null_mut()),
            keeps: AtomicBool::new(false),
            resume: AtomicUsize::new(0),
            deadlines: [const { AtomicU64::new(0) }; TIMERS],
            time: AtomicU64::new(0),
            arrived: AtomicU64::new(0),
        }
    }

    /// What a processor has had of the host's, if its host thread has had `here`.
    pub fn time(&self, here: u64) -> u64 {
        here.wrapping_add(self.time.load(Relaxed))
    }

    /// What it had had when it came to where it is.
    pub fn time_of_arrival(&self) -> u64 {
        self.arrived.load(Relaxed)
    }
}

impl Seat {
    /// All zeros.
    pub const fn new() -> Self {
        Self {
            runs: AtomicPtr::new(ptr::null_mut()),
            given: AtomicPtr::new(ptr::null_mut()),
            turn: AtomicU32::new(WAIT),
            taken: AtomicBool::new(false),
            thread: AtomicU32::new(0),
            process: AtomicU32::new(0),
            stack: AtomicUsize::new(0),
            timers: [const { AtomicUsize::new(0) }; TIMERS],
            armed: [const { AtomicU64::new(0) }; TIMERS],
            space: AtomicUsize::new(0),
            next: AtomicPtr::new(ptr::null_mut()),
            wanted: AtomicPtr::new(ptr::null_mut()),
        }
    }

    /// A processor begins here.
    pub(super) fn begin_with(&'static self, block: &'static Block) {
        self.runs.store(ptr::from_ref(block).cast_mut(), Relaxed);
        self.taken.store(true, Relaxed);
        block.moves.seat.store(ptr::from_ref(self).cast_mut(), Relaxed);
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
        self.stack.store(unsafe { first_frame(top, left_first) }, Relaxed);
    }

    /// Its host thread will begin on the stack below `top`, for the processor that has taken the seat.
    pub fn prepare(&self, space: usize, process: u32, top: usize) {
        self.taken.store(true, SeqCst);
        self.stack.store(top, SeqCst);
        self.belong(space, process, 0);
    }

    /// Has its host thread make the one for `another`. `false`: it is asked already.
    pub fn want(&self, another: &'static Self) -> bool {
        let another = ptr::from_ref(another).cast_mut();
        if self.wanted.compare_exchange(ptr::null_mut(), another, SeqCst, SeqCst).is_err() {
            return false;
        }
        thread::signal(self.process(), self.thread(), CALL);
        true
    }

    /// Its host thread has this number.
    pub fn has_begun(&self, thread: u32) {
        self.thread.store(thread, SeqCst);
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
        self.turn.store(WAIT, Relaxed);
        self.taken.store(false, Relaxed);
        self.timers.iter().for_each(|timer| timer.store(0, Relaxed));
        self.armed.iter().for_each(|armed| armed.store(0, Relaxed));
    }

    /// Has the process end in which it waits.
    pub fn end(&self) {
        self.turn.store(END, SeqCst);
        thread::wake_word(&self.turn);
    }

    /// What its host thread does, once it is ready: it waits for a processor, again and again.
    pub fn serve(&'static self) -> ! {
        loop {
            let block = self.wait();
            self.arrive(block);
            // SAFETY: the processor has left that stack, and nobody enters it but this seat.
            unsafe { switch(&self.stack, block.moves.resume.load(SeqCst)) };
            self.hand_on(block);
        }
    }

    fn wait(&self) -> &'static Block {
        loop {
            match self.turn.swap(WAIT, SeqCst) {
                // SAFETY: blocks live for ever.
                GO_ON => return unsafe { &*self.given.load(SeqCst) },
                END => process::exit(0),
                _ => thread::wait_for_word(&self.turn, WAIT),
            }
        }
    }

    fn arrive(&self, block: &'static Block) {
        self.runs.store(ptr::from_ref(block).cast_mut(), SeqCst);
        let address = ptr::from_ref(block) as usize;
        if block.has_base_instructions.load(Relaxed) {
            // SAFETY: the block is that of the processor that is here from now on.
            unsafe { process::write_gs_base(address) };
        } else {
            // SAFETY: as above. It was accepted once.
            let _ = unsafe { process::set_gs_base(address) };
        }
        let moves = &block.moves;
        moves.seat.store(ptr::from_ref(self).cast_mut(), SeqCst);
        block.set_host(self.process(), self.thread());
        let time = moves.time.load(Relaxed);
        moves.arrived.store(time, Relaxed);
        moves.time.store(time.wrapping_sub(time::now(ClockId::Thread)), Relaxed);
        for (which, deadline) in moves.deadlines.iter().enumerate() {
            let (deadline, armed) = (deadline.load(Relaxed), self.armed[which].load(Relaxed));
            // A timer that rings too early is set again then ([`Seat::rang`]).
            if deadline != 0 && (armed == 0 || armed > deadline) {
                self.set_again(block, which, deadline);
            }
        }
    }

    /// The processor has left for the seat that it has named.
    fn hand_on(&self, block: &'static Block) {
        let moves = &block.moves;
        // SAFETY: seats live for ever.
        let to = unsafe { &*moves.next.load(Relaxed) };
        let keeps = moves.keeps.load(Relaxed);
        self.runs.store(ptr::null_mut(), SeqCst);
        if !keeps {
            self.taken.store(false, SeqCst);
        }
        to.given.store(ptr::from_ref(block).cast_mut(), SeqCst);
        to.turn.store(GO_ON, SeqCst);
        thread::wake_word(&to.turn);
    }

    /// Sets a timer again for the processor that is here.
    fn set_again(&self, block: &Block, which: usize, deadline: u64) {
        if !self.set_timer(which, deadline) {
            // The alarm is early, so whoever waits for it looks again and again.
            block.pending.store(true, Relaxed);
        }
    }

    /// Sets a timer of the processor that is here; `false`: the host has no timers left.
    fn set_timer(&self, which: usize, deadline: u64) -> bool {
        let place = &self.timers[which];
        if place.load(Relaxed) == 0 {
            if deadline == 0 {
                return true;
            }
            let Ok(made) = time::create_timer(ClockId::Monotonic, ALARM) else { return false };
            place.store(made + 1, Relaxed);
        }
        if several() {
            self.armed[which].store(deadline, Relaxed);
        }
        // The host takes 0 for "never".
        time::set_timer(place.load(Relaxed) - 1, deadline).is_ok()
    }

    /// A timer rang here: whether there is a processor that it may concern. One that was set for an earlier moment than is
    /// wanted now is set again.
    pub fn rang(&self) -> bool {
        if !moves() {
            return true;
        }
        self.armed.iter().for_each(|armed| armed.store(0, Relaxed));
        let Some(block) = self.processor() else { return false };
        let now = time::now(ClockId::Monotonic);
        for (which, deadline) in block.moves.deadlines.iter().enumerate() {
            let deadline = deadline.load(Relaxed);
            if deadline > now {
                self.set_again(block, which, deadline);
            }
        }
        true
    }
}

/// What the stack of a seat begins with on which a processor was before there was a second space: the processor leaves.
extern "C" fn left_first() -> ! {
    let block = current();
    let seat = block.seat();
    seat.hand_on(block);
    seat.serve()
}

/// Has this processor go to the seat `to`, which was taken for it; it `keeps` the one where it is, if it comes back there.
/// The kernel goes on as if nothing had happened, in another process of the host's.
pub fn go(to: &'static Seat, keeps: bool) {
    let block = current();
    let moves = &block.moves;
    moves.next.store(ptr::from_ref(to).cast_mut(), Relaxed);
    moves.keeps.store(keeps, Relaxed);
    moves.time.store(moves.time(time::now(ClockId::Thread)), Relaxed);
    let stack = block.seat().stack.load(Relaxed);
    // SAFETY: a seat waits on its own stack, or it has not begun, while a processor is on it.
    unsafe { switch(&moves.resume, stack) };
}

/// Sets one of this processor's timers to `deadline`, in nanoseconds of the monotonic clock; `None` stops it. `false`: the
/// host has no timers left.
pub fn set_timer(which: usize, deadline: Option<u64>) -> bool {
    let block = current();
    let deadline = deadline.map_or(0, |deadline| deadline.max(1));
    if several() {
        block.moves.deadlines[which].store(deadline, Relaxed);
    }
    block.seat().set_timer(which, deadline)
}

/// The calling host thread, new and with all signals blocked that can wait, belongs to this seat: it gets its signal stack,
/// and system calls that are not the kernel's come to the kernel. No processor is here, so nobody could say why that fails:
/// the process ends then.
pub fn begin(seat: &'static Seat) {
    let stack = seat.signal_stack();
    // SAFETY: the seat's signal stack is used for nothing else.
    let result = unsafe { signal::set_stack(stack.start, stack.len()) };
    if result.and_then(|()| process::dispatch_system_calls(&host::instructions())).is_err() {
        process::exit(1);
    }
}

/// Makes the host thread that is wanted of the one at `seat`, which is the calling one.
#[inline(always)]
pub fn make_wanted(seat: &Seat) {
    if several() && !seat.wanted.load(Relaxed).is_null() {
        make_another(seat);
    }
}

#[cold]
fn make_another(seat: &Seat) {
    // SAFETY: seats live for ever.
    let Some(wanted) = (unsafe { seat.wanted.swap(ptr::null_mut(), SeqCst).as_ref() }) else { return };
    // SAFETY: the stack is the seat's own, which nobody has been on.
    let made = signal::while_blocked(|| unsafe { thread::start(wanted.stack.load(SeqCst), first, wanted) });
    assert!(made.is_ok(), "the host refuses another thread: {made:?}");
}

/// The first function of another host thread of a process.
extern "sysv64" fn first(seat: &'static Seat) -> ! {
    begin(seat);
    seat.has_begun(thread::own());
    signal::unblock();
    seat.serve()
}

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
