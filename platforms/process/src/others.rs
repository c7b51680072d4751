//! Several processors: each is a thread of the host, with a block, stacks and timers of its own.
//!
//! A processor is called by a mark in its block and then a signal, which takes it out of the program or out of its
//! wait. The mark comes first, and whoever takes it away looks for work afterwards, so a second call can spare the signal.

use core::{
    ptr,
    sync::atomic::{AtomicPtr, AtomicU64, AtomicUsize, Ordering::Relaxed, Ordering::SeqCst},
};

use machine::{MAX_PROCESSORS, PAGE_SIZE, PagerError, Protection};

use crate::{
    block::{self, BOOT, Block, CONTEXT_ROOM, SIGNAL_STACK},
    host::{self, HostError, memory::protect, process, signal, thread},
    signals::CALL,
    stages::must,
};

/// How many there are besides the first one, once they have been started.
static OTHERS: AtomicUsize = AtomicUsize::new(0);

/// Each one's block; the host threads are not all there as long as the first one's is missing.
static BLOCKS: [AtomicPtr<Block>; MAX_PROCESSORS] = [const { AtomicPtr::new(ptr::null_mut()) }; MAX_PROCESSORS];

/// Who waits for work: bit n for processor n.
static IDLE: AtomicU64 = AtomicU64::new(0);

/// Turns of waiting for a processor, a few tens of nanoseconds each, before its host thread may want our CPU.
const PATIENCE: u32 = 64;

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

/// The host thread that is processor `number`, if that is not the calling one.
pub fn host_thread(number: usize) -> Option<u32> {
    if block::current().number.load(Relaxed) == number {
        return None;
    }
    // SAFETY: blocks live for ever.
    let block = unsafe { BLOCKS.get(number)?.load(Relaxed).as_ref() };
    block.map(|block| block.host_thread.load(Relaxed)).filter(|&thread| thread != 0)
}

/// See [`machine::Processor::start_others`].
pub fn start() {
    if count() == 1 {
        return;
    }
    let first = block::current();
    first.host_thread.store(thread::own(), Relaxed);
    sync::on_spin(|| {
        let turns = &block::current().turns;
        turns.store(turns.load(Relaxed).wrapping_add(1), Relaxed);
        if turns.load(Relaxed).is_multiple_of(PATIENCE) {
            thread::give_way();
        }
    });
    BLOCKS[0].store(ptr::from_ref(first).cast_mut(), Relaxed);
    // A thread begins with our mask, and can take no signal before it has a signal stack.
    let _blocked = signal::Blocked::new();
    for (number, place) in BLOCKS.iter().enumerate().take(count()).skip(1) {
        let (block, stack_top) = must("have memory for another processor", prepare(number));
        place.store(ptr::from_ref(block).cast_mut(), Relaxed);
        // SAFETY: the stack was made for it.
        must("start another thread", unsafe { thread::start(stack_top - CONTEXT_ROOM, begin, block) });
    }
}

/// Makes a processor's stacks, and the block behind its signal stack.
fn prepare(number: usize) -> Result<(&'static Block, usize), HostError> {
    const PAGES: usize = (PAGE_SIZE + SIGNAL_STACK + size_of::<Block>()).div_ceil(PAGE_SIZE);
    let no_memory = |_: PagerError| HostError::NO_MEMORY;
    let stack_top = contracts::pager::allocate_stack().map_err(no_memory)?;
    let guard = contracts::pager::allocate_kernel(PAGES).map_err(no_memory)?;
    let place = (guard + PAGE_SIZE + SIGNAL_STACK) as *mut Block;
    // SAFETY: the pages were just given to us, aligned and for ever.
    let block = unsafe {
        protect(&(guard..guard + PAGE_SIZE), Protection::default())?;
        place.write(Block::new());
        &*place
    };
    block.prepare(number, stack_top, block::current().has_base_instructions.load(Relaxed));
    Ok((block, stack_top))
}

/// Another thread's first function, with all signals blocked that can wait.
extern "sysv64" fn begin(block: &'static Block) -> ! {
    let address = ptr::from_ref(block) as usize;
    // SAFETY: the block is this processor's.
    unsafe {
        if block.has_base_instructions.load(Relaxed) {
            process::write_gs_base(address);
        } else {
            must("set GS base", process::set_gs_base(address));
        }
    }
    let stack = block.signal_stack();
    // SAFETY: the block's signal stack is used for nothing else.
    must("set the signal stack", unsafe { signal::set_stack(stack.start, stack.len()) });
    must("dispatch system calls", process::dispatch_system_calls(&host::instructions()));
    block.host_thread.store(thread::own(), SeqCst);
    signal::unblock();
    contracts::kernel::join(block.context.load(Relaxed) + CONTEXT_ROOM)
}

/// See [`machine::Processor::notify`].
pub fn notify(number: usize) {
    // SAFETY: blocks live for ever.
    let Some(block) = BLOCKS.get(number).and_then(|block| unsafe { block.load(Relaxed).as_ref() }) else {
        // Nobody but us.
        return block::current().pending.store(true, Relaxed);
    };
    if !block.pending.swap(true, SeqCst) && !ptr::eq(block, block::current()) {
        call(block);
    }
}

/// Takes a processor out of the program or out of its wait. One that has not begun yet looks by itself.
pub fn call(block: &Block) {
    let (process, thread) = (BOOT.number_of_process(), block.host_thread.load(SeqCst));
    if thread != 0 {
        thread::signal(process, thread, CALL);
    }
}

/// Notes whether this processor waits for work.
pub fn idle(waits: bool) {
    if run() {
        let bit = 1 << block::current().number.load(Relaxed);
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
