//! Ways into the kernel and out of it: system calls, faults, interrupts.
//!
//! All of them end with a [`Context`] at the top of the thread's kernel stack (or, when the kernel itself was
//! interrupted, below what it was using), and leave through it. Nothing is ever pushed on the application's stack:
//! programs keep data below their stack pointer.

mod call;
mod dispatch;
mod halt;
mod stack;

use core::{
    arch::global_asm,
    mem::offset_of,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
};

use contracts::system_calls::NUMBERS;

use machine::{CONTEXT_ROOM, Context, Handler, Handlers};

use crate::per_cpu::{self, APPLICATION_SEGMENTS, BACK, KERNEL_SEGMENTS, KERNEL_STACK_TOP, PENDING, SCRATCH};

/// Vectors with a gate: exceptions, devices, timer, spurious. Others are protection faults.
pub const VECTORS: usize = 0x50;
/// Distance of two vectors' stubs.
pub const STUB: usize = 8;

/// In the flags of a context that is another than the call came with: all of it is to be restored. No program has this
/// flag (VIF, of virtual-8086 mode).
pub const REPLACED: u64 = 1 << 19;

// A context is 21 words: with 8 bytes left free at the stack's top it ends on a 16-byte boundary.
const _: () = assert!(size_of::<Context>() == 168);

/// What answers system calls without asking the kernel first.
static HANDLERS: Handlers = Handlers::new();

/// Where each of their numbers goes: to its handler, or to `whittle_looking_call` if that looks at registers.
static WAYS: [AtomicUsize; NUMBERS] = [const { AtomicUsize::new(0) }; NUMBERS];

/// See [`machine::Processor::answer_by`].
pub fn answer_by(handlers: &'static [Handler], looking: &[usize]) {
    let handlers = handlers.get(..NUMBERS).unwrap_or(handlers);
    WAYS.iter().zip(handlers).for_each(|(way, &handler)| way.store(handler as usize, Relaxed));
    let ways = looking.iter().filter_map(|&number| WAYS.get(number));
    ways.for_each(|way| way.store(&raw const whittle_looking_call as usize, Relaxed));
    HANDLERS.set(handlers);
}

global_asm!(
    include_str!("registers.s"),
    include_str!("system_call.s"),
    include_str!("call.s"),
    include_str!("interrupt.s"),
    STUB = const STUB,
    VECTORS = const VECTORS,
    SCRATCH = const SCRATCH,
    BACK = const BACK,
    KERNEL_STACK_TOP = const KERNEL_STACK_TOP,
    PENDING = const PENDING,
    KERNEL_CODE = const KERNEL_SEGMENTS.0,
    KERNEL_DATA = const KERNEL_SEGMENTS.1,
    APPLICATION_CODE = const APPLICATION_SEGMENTS.0,
    APPLICATION_DATA = const APPLICATION_SEGMENTS.1,
    // Flags a program may keep when it leaves by the short way: arithmetic, direction, alignment, identification.
    // Interrupts are off until the very end.
    SHORT_FLAGS = const 0x24_0cd5,
    // Those that go the long way out: single step, and no flag.
    LONG_FLAGS = const 1 << 8 | REPLACED,
    // The same for SYSRET, with I/O level and nested task.
    LONG_FLAGS_RING_3 = const 0x7100 | REPLACED,
    // Flags that are not for the kernel's code: single step, direction, nested task, alignment check.
    UNCLEAN = const 0x4_4500,
    R15 = const offset_of!(Context, r15),
    R14 = const offset_of!(Context, r14),
    R13 = const offset_of!(Context, r13),
    R12 = const offset_of!(Context, r12),
    RBP = const offset_of!(Context, rbp),
    RBX = const offset_of!(Context, rbx),
    R11 = const offset_of!(Context, r11),
    ENTRY = const offset_of!(Context, entry),
    RAX = const offset_of!(Context, rax),
    RDI = const offset_of!(Context, rdi),
    RSI = const offset_of!(Context, rsi),
    RDX = const offset_of!(Context, rdx),
    R8 = const offset_of!(Context, r8),
    R9 = const offset_of!(Context, r9),
    R10 = const offset_of!(Context, r10),
    RCX = const offset_of!(Context, rcx),
    RIP = const offset_of!(Context, rip),
    CS = const offset_of!(Context, cs),
    RFLAGS = const offset_of!(Context, rflags),
    RSP = const offset_of!(Context, rsp),
    SS = const offset_of!(Context, ss),
    handlers = sym HANDLERS,
    ways = sym WAYS,
    system_call = sym dispatch::system_call,
    trapped = sym dispatch::trapped,
    called = sym dispatch::called,
    before_application = sym dispatch::before_application,
    leave_interrupt_stack = sym stack::leave_interrupt_stack,
    interrupt = sym dispatch::interrupt,
    fatal = sym dispatch::fatal,
);

unsafe extern "C" {
    safe static whittle_vectors: u8;
    safe static whittle_looking_call: u8;
    safe static whittle_system_call_ring_0: u8;
    safe static whittle_system_call_ring_3: u8;
    safe static whittle_told_system_call_ring_0: u8;
    safe static whittle_told_system_call_ring_3: u8;
    /// Leaves for the application in `context`, which becomes the top of the kernel stack.
    fn whittle_enter(context: *mut Context) -> !;
    /// Leaves for the application in `context`, which is at the top of the kernel stack.
    fn whittle_leave_laid(context: *mut Context) -> !;
}

pub use call::call_entries;

/// Address of a vector's stub.
pub fn vector_address(vector: usize) -> usize {
    &raw const whittle_vectors as usize + vector * STUB
}

/// Where SYSCALL enters from an application at this ring; `told`: each is told, by [`machine::Kernel::trapped`].
pub fn system_call_address(ring: u8, told: bool) -> usize {
    let entry = match (ring, told && contracts::config().rewrite) {
        (3, false) => &raw const whittle_system_call_ring_3,
        (3, true) => &raw const whittle_told_system_call_ring_3,
        (_, false) => &raw const whittle_system_call_ring_0,
        (_, true) => &raw const whittle_told_system_call_ring_0,
    };
    entry as usize
}

/// See [`machine::Processor::enter_laid`].
pub fn enter_laid() -> ! {
    let context = (per_cpu::kernel_stack_top() - CONTEXT_ROOM) as *mut Context;
    // SAFETY: it was laid there, and this thread's stack is nobody else's.
    dispatch::before_application(unsafe { &mut *context });
    // SAFETY: nothing below it on this stack is needed any more.
    unsafe { whittle_leave_laid(context) }
}

/// See [`machine::Processor::enter`].
pub fn enter(context: &Context) -> ! {
    let mut context = *context;
    dispatch::before_application(&mut context);
    // SAFETY: the context is one of an application, and nothing on this stack is needed any more: the routine copies
    // it (it may overlap its new place) and goes.
    unsafe { whittle_enter(&raw mut context) }
}
