//! Starting the other processors, each a thread of the host.

use core::{ptr, sync::atomic::Ordering::Relaxed};

use machine::{CONTEXT_ROOM, MemoryRefused, PAGE_SIZE};

use crate::{
    host::{self, HostError, process, signal, thread},
    memory::spaces,
    per_cpu::{self, Block, Home, SIGNAL_STACK, rendezvous, smp},
    power::must,
};

/// Turns of waiting for a processor, a few tens of nanoseconds each, before its host thread may want our CPU.
const PATIENCE: u32 = 64;

/// See [`machine::Processor::start_others`].
pub fn start() {
    if smp::count() == 1 {
        return;
    }
    let first = per_cpu::current();
    // The first thread's number is the process's.
    let own = thread::own();
    let process = if per_cpu::seat::moves() { first.host().0 } else { own };
    first.set_host(process, own);
    sync::on_spin(|| {
        rendezvous::be_held();
        per_cpu::seat::make_wanted(per_cpu::current().seat());
        let turns = &per_cpu::current().turns;
        turns.store(turns.load(Relaxed).wrapping_add(1), Relaxed);
        if turns.load(Relaxed).is_multiple_of(PATIENCE) {
            thread::give_way();
        }
    });
    must("have a barrier on all processors", thread::register_synchronize());
    smp::add(0, first);
    // A thread begins with our mask, and can take no signal before it has a signal stack.
    let _blocked = signal::Blocked::new();
    for number in 1..smp::count() {
        let (block, stack_top) = must("have memory for another processor", prepare(number));
        smp::add(number, block);
        // SAFETY: the stack was made for it.
        must("start another thread", unsafe { thread::start(stack_top - CONTEXT_ROOM, begin, block) });
    }
}

/// Makes a processor's stacks, and the block behind its signal stack.
fn prepare(number: usize) -> Result<(&'static Block, usize), HostError> {
    const PAGES: usize = (PAGE_SIZE + SIGNAL_STACK + size_of::<Home>()).div_ceil(PAGE_SIZE);
    let no_memory = |_: MemoryRefused| HostError::NO_MEMORY;
    let stack_top = contracts::kernel_memory::allocate_stack().map_err(no_memory)?;
    let guard = spaces::room(PAGES).map_err(no_memory)?;
    let place = (guard + PAGE_SIZE + SIGNAL_STACK) as *mut Home;
    // SAFETY: the pages were just given to us, aligned and for ever.
    let home = unsafe {
        spaces::guard(guard)?;
        place.write(Home::new());
        &*place
    };
    let maker = per_cpu::current();
    let block = home.prepare(number, stack_top, maker.has_base_instructions.load(Relaxed));
    block.set_host(maker.host().0, 0);
    spaces::begin_on(&home.seat)?;
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
    block.set_host(block.host().0, thread::own());
    block.seat().has_begun(thread::own());
    signal::unblock();
    contracts::kernel::join(block.context.load(Relaxed) + CONTEXT_ROOM)
}
