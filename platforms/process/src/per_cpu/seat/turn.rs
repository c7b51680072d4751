//! How a processor goes from seat to seat, and how a seat waits for its turn.

use core::{
    ptr,
    sync::atomic::{
        AtomicBool, AtomicPtr, AtomicU64, AtomicUsize,
        Ordering::{Relaxed, SeqCst},
    },
};

use x86_64::switch::switch;

use super::{Seat, TIMERS};
use crate::{
    host::{
        process, thread,
        time::{self, ClockId},
    },
    per_cpu::{Block, current},
};

/// What the word [`Seat`] waits for says: wait, go on with the processor that is given, end the process; or that its
/// host thread sleeps, and is to be woken.
pub(super) const WAIT: u32 = 0;
const GO_ON: u32 = 1;
const END: u32 = 2;
const SLEEPS: u32 = 3;

/// What a processor has that goes from seat to seat.
#[derive(Debug, Default)]
pub struct Moves {
    /// Where it is.
    seat: AtomicPtr<Seat>,
    /// Where it goes, and whether it comes back.
    next: AtomicPtr<Seat>,
    keeps: AtomicBool,
    /// Where the kernel stack was left that it goes on with.
    resume: AtomicUsize,
    /// What its timers are to ring at, in nanoseconds of the monotonic clock; 0 is never.
    pub(super) deadlines: [AtomicU64; TIMERS],
    /// The seats whose timers it counts on.
    ringers: [AtomicPtr<Seat>; TIMERS],
    /// Whether one of those rang, and it is called for that.
    rung: AtomicBool,
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
            ringers: [const { AtomicPtr::new(ptr::null_mut()) }; TIMERS],
            rung: AtomicBool::new(false),
            time: AtomicU64::new(0),
            arrived: AtomicU64::new(0),
        }
    }

    /// The seat that the processor is on.
    #[inline(always)]
    pub fn seat(&self) -> &'static Seat {
        // SAFETY: noted before anybody asks, and seats live for ever.
        unsafe { &*self.seat.load(Relaxed) }
    }

    /// Notes it.
    pub(super) fn set_seat(&self, seat: &'static Seat) {
        self.seat.store(ptr::from_ref(seat).cast_mut(), SeqCst);
    }

    /// The seat whose timer it counts on.
    pub(super) fn ringer(&self, which: usize) -> Option<&'static Seat> {
        // SAFETY: seats live for ever.
        unsafe { self.ringers[which].load(SeqCst).as_ref() }
    }

    /// Notes it.
    pub(super) fn set_ringer(&self, which: usize, seat: &'static Seat) {
        self.ringers[which].store(ptr::from_ref(seat).cast_mut(), SeqCst);
    }

    /// A timer rang for it elsewhere. Who says this calls it then.
    pub(super) fn pass_ring(&self) {
        self.rung.store(true, SeqCst);
    }

    /// Whether it is called because a timer rang elsewhere.
    pub fn take_ring(&self) -> bool {
        self.rung.load(SeqCst) && self.rung.swap(false, SeqCst)
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
    /// Has the process end in which it waits.
    pub fn end(&self) {
        self.say(END);
    }

    /// A new host thread, and one that was just woken, finds what is said without a call.
    fn say(&self, turn: u32) {
        if self.turn.swap(turn, SeqCst) == SLEEPS {
            thread::wake_word(&self.turn);
        }
    }

    /// Has the process end when the processor that is here has left for good; `quietly`: the host is not to tell of it.
    pub fn end_when_left(&self, quietly: bool) {
        self.quiet.store(quietly, SeqCst);
        self.ends.store(true, SeqCst);
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
                _ => {
                    if self.turn.compare_exchange(WAIT, SLEEPS, SeqCst, SeqCst).is_ok() {
                        thread::wait_for_word(&self.turn, SLEEPS);
                    }
                }
            }
        }
    }

    fn arrive(&'static self, block: &'static Block) {
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
        moves.set_seat(self);
        block.set_host(self.process(), self.thread());
        let time = moves.time.load(Relaxed);
        moves.arrived.store(time, Relaxed);
        // The way from there to here counts. So does what a new host thread has had, which was to begin this process.
        moves.time.store(time.wrapping_sub(self.left.load(Relaxed)), Relaxed);
        for (which, deadline) in moves.deadlines.iter().enumerate() {
            let deadline = deadline.load(Relaxed);
            if deadline != 0 {
                self.ring_by(block, which, deadline);
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
        to.given.store(ptr::from_ref(block).cast_mut(), SeqCst);
        if !keeps && self.ends.load(SeqCst) {
            self.hand_on_and_end(to);
        }
        if !keeps {
            self.taken.store(false, SeqCst);
        }
        to.say(GO_ON);
    }

    /// The last that is done here. Who is killed before the processor is elsewhere has the seat taken, so that this is
    /// noticed.
    fn hand_on_and_end(&self, to: &Self) -> ! {
        // The processor looks for others when it arrives.
        self.armed.iter().for_each(|armed| armed.store(0, SeqCst));
        if self.quiet.load(SeqCst) {
            self.last_word.take_back();
        }
        to.say(GO_ON);
        self.taken.store(false, SeqCst);
        process::exit(0)
    }
}

/// What the stack of a seat begins with on which a processor was before there was a second space: the processor leaves.
pub(super) extern "C" fn left_first() -> ! {
    let block = current();
    let seat = block.seat();
    seat.hand_on(block);
    seat.serve()
}

/// Has this processor go to the seat `to`, which was taken for it; it `keeps` the one where it is, if it comes back
/// there. The kernel goes on as if nothing had happened, in another process of the host's.
pub fn go(to: &'static Seat, keeps: bool) {
    let block = current();
    let moves = &block.moves;
    moves.next.store(ptr::from_ref(to).cast_mut(), Relaxed);
    moves.keeps.store(keeps, Relaxed);
    let seat = block.seat();
    let now = time::now(ClockId::Thread);
    seat.left.store(now, Relaxed);
    moves.time.store(moves.time(now), Relaxed);
    let stack = seat.stack.load(Relaxed);
    // SAFETY: a seat waits on its own stack, or it has not begun, while a processor is on it.
    unsafe { switch(&moves.resume, stack) };
}
