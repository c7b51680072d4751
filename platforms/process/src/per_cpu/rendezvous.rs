//! The last word: one processor ends the machine, and the others stop.

use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};

use super::{Block, current, smp};
use crate::host::{
    files, thread,
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

fn stop() -> ! {
    STOPPED.fetch_add(1, SeqCst);
    loop {
        files::wait_for_signal();
    }
}
