//! Making threads, and ending them.

use alloc::sync::Arc;
use core::sync::atomic::Ordering;

use machine::{Context, MemoryRefused};
use sched::{Arrival, Leaving};
use sync::Once;

use super::{
    Key, Resources, Thread, current,
    kernel_stack::KernelStack,
    registers,
    schedule::{self, arrived},
    sleep,
    stack::first_frame,
    thread::{Form, set_current},
};
use crate::memory::AddressSpace;

/// Turns the boot thread into the application's first thread and makes it current. Its kernel stack is the boot stack.
pub fn start_first<T: Send + Sync + 'static>(
    key: &'static Key<T>,
    resources: T,
    space: Arc<AddressSpace>,
) -> &'static Thread {
    let top = contracts::processor::boot_stack_top();
    space.activate();
    let thread = Thread::new(top, 0, || unreachable!("it runs"), in_space(space), Resources::new(key, resources));
    thread.on_stack.store(true, Ordering::Relaxed);
    thread.account.start();
    set_current(&thread);
    let thread = Thread::leak(thread);
    // The others start when there is a second thread.
    contracts::scheduler::set_processors(1);
    schedule::begin_with(thread);
    thread
}

/// A thread of the kernel works in whatever address space is active.
const IN_NO_SPACE: (&Form, Option<Arc<AddressSpace>>) = (&Form::IN_SPACE, None);

fn in_space(space: Arc<AddressSpace>) -> (&'static Form, Option<Arc<AddressSpace>>) {
    (&Form::IN_SPACE, Some(space))
}

/// Whether the other processors have been started.
static STARTED: Once<()> = Once::new();

/// How many processors threads may run on: as many as the machine has and the scheduler serves.
pub fn processors() -> usize {
    contracts::processor::count().min(contracts::scheduler::processors())
}

/// Starts the other processors, if there are any and nobody has. From now on the running thread may go on elsewhere.
pub(super) fn start_processors() {
    if STARTED.is_completed() {
        return;
    }
    STARTED.call_once(|| ());
    sleep::begin();
    registers::make_room();
    contracts::scheduler::set_processors(processors());
    if processors() > 1 {
        contracts::processor::start_others();
    }
}

/// The thread that another processor begins with, whose stack has this top.
pub(super) fn boot_thread(stack_top: usize) -> Arc<Thread> {
    Thread::new(stack_top, 0, || unreachable!("it runs"), IN_NO_SPACE, Resources::none())
}

/// Makes a thread in `space`, which enters the application with the registers in `context`. Its vector registers are
/// copies of the running thread's; it does not run before [`start`].
#[inline]
pub fn spawn(
    space: Arc<AddressSpace>,
    resources: Resources,
    thread_pointer: usize,
    context: &Context,
) -> Result<Arc<Thread>, MemoryRefused> {
    spawn_to_begin(space, resources, thread_pointer, context, enter_application)
}

/// Enters the application with the registers that the running thread was made with: the end of what is given to
/// [`spawn_to_begin`].
pub fn enter_application() -> ! {
    contracts::processor::enter_laid()
}

/// As [`spawn`]; the new thread does `begin` first, on its own kernel stack and in its own space.
#[inline]
pub fn spawn_to_begin(
    space: Arc<AddressSpace>,
    resources: Resources,
    thread_pointer: usize,
    context: &Context,
    begin: fn() -> !,
) -> Result<Arc<Thread>, MemoryRefused> {
    start_processors();
    let KernelStack { top, vectors } = KernelStack::take()?;
    contracts::processor::lay(top, context);
    let stack_pointer = first_frame(top, first);
    let thread = Thread::new(top, stack_pointer, begin, in_space(space), resources);
    registers::inherit(&thread, vectors, thread_pointer);
    Ok(thread)
}

/// A thread without an application and an address space, on the stack with this top. It does not run before [`start`].
pub(super) fn kernel_thread(top: usize, begin: fn() -> !, resources: Resources) -> Arc<Thread> {
    let stack_pointer = first_frame(top, first);
    Thread::new(top, stack_pointer, begin, IN_NO_SPACE, resources)
}

/// Has a new thread run.
pub fn start(thread: Arc<Thread>) {
    thread.entity().inherit(&current().entity());
    schedule::arrive(Thread::leak(thread), Arrival::New);
}

/// The first thing on a new thread's stack.
pub(super) extern "C" fn first() -> ! {
    arrived();
    (current().start)()
}

/// Ends the running thread. Nobody may be waiting for it, and what it holds is dropped later, when its stack has been
/// left.
pub fn exit() -> ! {
    let this = current();
    this.ended.store(true, Ordering::Relaxed);
    if contracts::config::config().processes && contracts::translations::ends_in_place() {
        this.give_up_space_early();
    }
    schedule::leave(Leaving::Ended);
    unreachable!("a thread that has ended runs no more")
}
