//! What an entry was about.

use architecture::{
    PageFault as _,
    x86_64::{PageFaultCode, exception},
};
use machine::{Access, Context, Trap, TrapKind};
use x86_64::{fix_up, registers::fault_address};

use super::{REPLACED, call, halt, stack::is_application};
use crate::{
    interrupts,
    memory::permits,
    panics,
    per_cpu::{self, APPLICATION_SEGMENTS, KERNEL_SEGMENTS, Work, is_pending, mark_own_pending, smp, take_pending},
};

/// Exceptions end here; interrupts begin.
pub const FIRST_INTERRUPT: u64 = 32;
const NOT_MASKABLE: u64 = exception::NOT_MASKABLE as u64;
const DEBUG: u64 = exception::DEBUG as u64;
const PAGE_FAULT: u64 = exception::PAGE as u64;
const PROTECTION_FAULT: u64 = exception::PROTECTION as u64;

/// Has each instruction end in a debug exception.
const TRAP_FLAG: u64 = 1 << 8;

/// Flags a program may set: arithmetic, single step, direction, alignment, identification, resume.
const PROGRAM_FLAGS: u64 = 0x25_0dd5;
/// Flags it always has: interrupts, and bit 1.
const FIXED_FLAGS: u64 = 0x202;

/// From the entry of system calls. The registers of a call's arguments are those of a function's, but for one; the
/// number comes behind them.
pub extern "C" fn system_call(a: usize, b: usize, c: usize, d: usize, e: usize, f: usize, number: usize) -> isize {
    contracts::kernel::system_call(a, b, c, d, e, f, number)
}

/// From the entry that tells of system calls.
pub extern "C" fn trapped(context: &mut Context) {
    contracts::kernel::trapped(context);
}

/// From the entry of calls that are counted.
pub extern "C" fn called(context: &mut Context) {
    contracts::kernel::called(context);
}

/// Does pending work, and gives the context the segments and flags it must have: it leaves by `iretq` next.
pub extern "C" fn before_application(context: &mut Context) {
    context.rflags &= !REPLACED;
    if is_pending() {
        do_pending(context);
    }
    (context.cs, context.ss) = if per_cpu::ring() == 3 { APPLICATION_SEGMENTS } else { KERNEL_SEGMENTS };
    context.rflags = context.rflags & PROGRAM_FLAGS | FIXED_FLAGS;
}

#[inline(never)]
fn do_pending(context: &mut Context) {
    while let Some(work) = take_pending() {
        match work {
            Work::Outside => contracts::kernel::interrupted(context),
            Work::Own => contracts::kernel::resuming(context),
        }
    }
}

/// From a vector, on the kernel stack.
pub extern "C" fn interrupt(place: *mut Context, vector: u64) {
    // Before anything can overwrite it.
    let address = if vector == PAGE_FAULT { fault_address() } else { 0 };
    // SAFETY: the entry has just put the registers there, and nobody else knows of them.
    let context = unsafe { &mut *place };
    let error = core::mem::replace(&mut context.entry, Context::NO_SYSTEM_CALL);
    if !is_application(context) {
        return in_kernel(context, vector, error, address);
    }
    if vector >= FIRST_INTERRUPT {
        if !interrupts::take(vector as usize, true) {
            contracts::kernel::trap(context, trap(TrapKind::Protection, PROTECTION_FAULT, 0, 0));
        } else if halt::step_back(context) {
            contracts::kernel::trap(context, trap(TrapKind::Halt, PROTECTION_FAULT, 0, 0));
        }
    } else if vector == PAGE_FAULT && is_lost_system_call(context, address) {
        lost_system_call(place);
    } else if vector == PAGE_FAULT {
        application_page_fault(context, error, address);
    } else {
        contracts::kernel::trap(context, trap(exception::kind(vector as u8), vector, error, 0));
    }
    // SAFETY: as above; whoever answered a lost call is done with them.
    before_application(unsafe { &mut *place });
}

fn application_page_fault(context: &mut Context, error: u64, address: usize) {
    if PageFaultCode::new(error as u32).is_reserved() {
        context.entry = error;
        panics::with_context("a page table of the application is damaged", context, PAGE_FAULT, address);
    }
    if access(error).changes_own_page(address, context.rip as usize)
        || PageFaultCode::new(error as u32).is_present() && recurs(context, error, address)
        || !contracts::kernel::resolve_fault(address, access(error))
    {
        contracts::kernel::trap(context, trap(TrapKind::Page, PAGE_FAULT, error, address));
    }
}

/// Whether a page is there and permits the access, and has the application fault all the same, again and again. One
/// that another processor changed meanwhile does so once or twice; an emulator whose instruction looks with other
/// rights than the program's does so for ever.
fn recurs(context: &Context, error: u64, address: usize) -> bool {
    /// Faults at one place in a row, each at a page that is there.
    const ENOUGH: u64 = 16;
    let place = context.rip.rotate_left(32) ^ address as u64 ^ error << 48;
    let is_last = per_cpu::last_fault() == place;
    per_cpu::set_last_fault(place);
    let count = if is_last && permits(address, access(error)) { per_cpu::repeated_faults() + 1 } else { 0 };
    per_cpu::set_repeated_faults(count);
    count >= ENOUGH
}

/// Whether this fault is a system call all the same. A KVM that emulates ring 0 executes SYSCALL up to the jump but
/// stays at ring 3, so that the first instruction of our entry faults; the registers are those of a system call. (An
/// application that jumps there itself makes a system call, which it may.)
fn is_lost_system_call(context: &Context, address: usize) -> bool {
    per_cpu::ring() == 3
        && address == context.rip as usize
        && [false, true].map(|told| super::system_call_address(3, told)).contains(&address)
}

/// Answers it. The registers are at the top of the kernel stack, where whoever answers may look at them and change
/// them.
fn lost_system_call(place: *mut Context) {
    // SAFETY: as in `interrupt`, whose reference is not used any more; this one ends before anybody else looks.
    let (number, [a, b, c, d, e, f]) = unsafe {
        let context = &mut *place;
        (context.entry, context.rip, context.rflags) = (context.rax, context.rcx, context.r11);
        contracts::kernel::trapped(context);
        (context.number(), context.arguments())
    };
    let answer = system_call(a, b, c, d, e, f, number);
    // SAFETY: they are this thread's, and the call has been answered.
    unsafe { (*place).set_result(answer) };
}

/// The kernel was interrupted: while it idles, or when it touched the application's memory.
fn in_kernel(context: &mut Context, vector: u64, error: u64, address: usize) {
    if vector >= FIRST_INTERRUPT {
        interrupts::take(vector as usize, false);
        return;
    }
    if vector == DEBUG && call::is_between(context.rip as usize) {
        return stepped_into_call(context);
    }
    if let Some(resume) = fix_up::find_short(context.rip as usize).filter(|_| vector == PAGE_FAULT) {
        context.rip = resume as u64;
        return;
    }
    let resume = fix_up::find(context.rip as usize).filter(|_| matches!(vector, PAGE_FAULT | PROTECTION_FAULT));
    let Some(resume) = resume else {
        context.entry = error;
        panics::with_context("the kernel faulted", context, vector, address);
    };
    if vector == PAGE_FAULT && resolved_awake(address, access(error)) {
        return;
    }
    context.rip = resume as u64;
}

/// An application that is single-stepped has called, or comes back. Its trap flag is saved with its other flags. Behind
/// a call it takes effect one instruction late, as behind SYSCALL: an instruction of the application's, which may be in
/// its stub's last part.
fn stepped_into_call(context: &mut Context) {
    if call::has_left(context.rip as usize) {
        context.rip = context.rcx;
        mark_own_pending();
        before_application(context);
        context.rcx = context.rip;
    } else if !call::has_flags(context.rip as usize) {
        context.rflags &= !TRAP_FLAG;
    }
}

/// Resolves a fault in a copy of the kernel's: locks may be held around it, so nobody sleeps. (Not every image with
/// page tables has a scheduler to ask whether anybody could.)
fn resolved_awake(address: usize, access: Access) -> bool {
    sync::keep_awake(true);
    let resolved = contracts::kernel::resolve_fault(address, access);
    sync::keep_awake(false);
    resolved
}

/// From a vector that nothing can follow, on its interrupt stack or any other.
pub extern "C" fn fatal(context: &Context, vector: u64) -> ! {
    per_cpu::claim_segment_base();
    if vector == NOT_MASKABLE && smp::is_stopping() {
        smp::stop_here();
    }
    let address = if vector == PAGE_FAULT { fault_address() } else { 0 };
    panics::on_last_stack(context, vector, address)
}

fn access(error: u64) -> Access {
    PageFaultCode::new(error as u32).access()
}

fn trap(kind: TrapKind, vector: u64, error: u64, address: usize) -> Trap {
    Trap { kind, vector: vector as u8, error: error as u32, address, access: access(error) }
}
