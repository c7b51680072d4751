//! Several processors: each is a thread of the host, with a block, stacks and timers of its own.
//!
//! A processor is called by a mark in its block and then a signal, which takes it out of the program or out of its
//! wait. The mark comes first, and whoever takes it away looks for work afterwards, so a second call can spare the
//! signal.

use core::{
    ptr,
    sync::atomic::{AtomicPtr, AtomicU64, AtomicUsize, Ordering::Relaxed, Ordering::SeqCst},
};

use machine::MAX_PROCESSORS;

use super::{BOOT, Block, current, seat::moves};
use crate::host::{signal::CALL, thread};

/// How many there are besides the first one, once they have been started.
static OTHERS: AtomicUsize = AtomicUsize::new(0);

/// Each one's block; the host threads are not all there as long as the first one's is missing.
static BLOCKS: [AtomicPtr<Block>; MAX_PROCESSORS] = [const { AtomicPtr::new(ptr::null_mut()) }; MAX_PROCESSORS];

/// Who waits for work: bit n for processor n.
static IDLE: AtomicU64 = AtomicU64::new(0);

/// Says how many there are to be.
pub fn set_count(count: u64) {
    OTHERS.store((count.clamp(1, MAX_PROCESSORS as u64) - 1) as usize, Relaxed);
}

/// See [`machine::Processor::count`].
pub fn count() -> usize {
    OTHERS.load(Relaxed) + 1
}

/// Whether several processors run.
pub fn run() -> bool {
    !BLOCKS[0].load(Relaxed).is_null()
}

/// The blocks of all that run, by number.
pub fn blocks() -> impl Iterator<Item = &'static Block> {
    // SAFETY: blocks live for ever.
    BLOCKS.iter().filter_map(|block| unsafe { block.load(Relaxed).as_ref() })
}

/// The same, also as long as there is only one.
pub fn running() -> impl Iterator<Item = &'static Block> {
    let only = if run() { None } else { Some(BOOT.first()) };
    blocks().chain(only)
}

/// Notes the block of a processor, before its host thread begins.
pub fn add(number: usize, block: &'static Block) {
    BLOCKS[number].store(ptr::from_ref(block).cast_mut(), Relaxed);
}

/// The block of processor `number`, if that is not the calling one and it has begun.
pub fn other(number: usize) -> Option<&'static Block> {
    if current().number.load(Relaxed) == number {
        return None;
    }
    // SAFETY: blocks live for ever.
    let block = unsafe { BLOCKS.get(number)?.load(Relaxed).as_ref() };
    block.filter(|block| block.host().1 != 0)
}

/// See [`machine::Processor::notify`].
pub fn notify(number: usize) {
    // SAFETY: blocks live for ever.
    let Some(block) = BLOCKS.get(number).and_then(|block| unsafe { block.load(Relaxed).as_ref() }) else {
        // Nobody but us.
        return current().pending.store(true, Relaxed);
    };
    if !block.pending.swap(true, SeqCst) && !ptr::eq(block, current()) {
        call(block);
    }
}

/// Takes a processor out of the program or out of its wait. One that has not begun yet looks by itself.
pub fn call(block: &Block) {
    let (process, thread) = block.host();
    if thread != 0 {
        thread::signal(process, thread, CALL);
    }
}

/// Another thread of the host's may call the first processor from now on.
pub fn can_be_called() {
    if !run() && !moves() {
        let first = thread::own();
        current().set_host(first, first);
    }
}

/// Interrupts the first processor, as a device would. For a thread that is no processor.
pub fn call_first() {
    let block = BOOT.first();
    if !block.pending.swap(true, SeqCst) {
        call(block);
    }
}

/// Notes whether this processor waits for work.
pub fn idle(waits: bool) {
    if run() {
        let bit = 1 << current().number.load(Relaxed);
        if waits {
            IDLE.fetch_or(bit, SeqCst)
        } else {
            IDLE.fetch_and(!bit, SeqCst)
        };
    }
}

/// A processor that waits for work.
pub fn idler() -> Option<usize> {
    let idle = IDLE.load(Relaxed);
    (idle != 0).then(|| idle.trailing_zeros() as usize)
}
