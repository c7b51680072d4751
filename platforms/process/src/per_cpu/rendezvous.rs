//! The last word: one processor ends the machine, and the others stop.

use core::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering::SeqCst};

use super::{Block, current, seat::several, smp};
use crate::host::{
    self, files, signal, thread,
    time::{self, ClockId},
};

/// The number of the processor that ends the machine, and 1; 0 as long as none does.
static SPEAKER: AtomicUsize = AtomicUsize::new(0);
/// Whether it wants silence.
static SILENCE: AtomicBool = AtomicBool::new(false);
/// How many others have stopped.
static STOPPED: AtomicUsize = AtomicUsize::new(0);

/// Nanoseconds that the others have to stop: a thread that the host does not run cannot say that it has.
const PATIENCE: u64 = 200_000_000;

/// Comes back on the processor that has the last word; the first one to ask has it.
pub fn claim() {
    if !smp::run() {
        return;
    }
    let me = current().number.load(SeqCst) + 1;
    if let Err(speaker) = SPEAKER.compare_exchange(0, me, SeqCst, SeqCst)
        && speaker != me
    {
        stop();
    }
}

/// Stops the other processors, each behind the frame that it may be writing.
pub fn silence() {
    if !smp::run() {
        return;
    }
    SILENCE.store(true, SeqCst);
    let end = time::now(ClockId::Monotonic) + PATIENCE;
    let others = || smp::blocks().filter(|block| !core::ptr::eq(*block, current()));
    others().for_each(smp::call);
    while STOPPED.load(SeqCst) < others().count() && time::now(ClockId::Monotonic) < end {
        thread::give_way();
    }
}

/// Stops this processor if another one wants silence; `block` is this one's.
pub fn respect(block: &Block) {
    let me = block.number.load(SeqCst) + 1;
    if SILENCE.load(SeqCst) && SPEAKER.load(SeqCst) != me && !block.sends.load(SeqCst) {
        stop();
    }
}

/// Words by which others are held while the kernel's memory is replaced: they are in memory that stays.
#[derive(Debug)]
#[repr(C)]
pub struct Hold {
    goes_on: AtomicU32,
    held: AtomicU32,
}

impl Hold {
    /// Nobody is held.
    pub const fn new() -> Self {
        Self { goes_on: AtomicU32::new(0), held: AtomicU32::new(0) }
    }
}

/// The address of a [`Hold`]; 0 where none is to be heeded.
static HOLD: AtomicUsize = AtomicUsize::new(0);

/// Holds all other processors, which have begun, where they write no memory.
pub fn hold(hold: &Hold) {
    if !smp::run() {
        return;
    }
    let others = || smp::blocks().filter(|block| !core::ptr::eq(*block, current()));
    hold.goes_on.store(1, SeqCst);
    HOLD.store(core::ptr::from_ref(hold) as usize, SeqCst);
    others().for_each(smp::call);
    while (hold.held.load(SeqCst) as usize) < others().count() {
        thread::give_way();
    }
    HOLD.store(0, SeqCst);
}

/// Lets them go on; comes back when none needs the words any more.
pub fn release(hold: &Hold) {
    hold.goes_on.store(0, SeqCst);
    while hold.held.load(SeqCst) != 0 {
        thread::give_way();
    }
}

/// Holds this processor if another one wants that. For its signal handler, and where it waits for others.
pub fn be_held() {
    if several() && HOLD.load(SeqCst) != 0 {
        // The signal that tells of it may still come: the host would write a frame on a stack that is being replaced,
        // and this processor would be counted twice.
        signal::while_blocked(|| {
            let words = HOLD.load(SeqCst);
            if words != 0 {
                // SAFETY: who holds waits for this processor, and has the words stay until all have been released.
                unsafe { host::hold(words) };
            }
        });
    }
}

fn stop() -> ! {
    STOPPED.fetch_add(1, SeqCst);
    loop {
        files::wait_for_signal();
    }
}
