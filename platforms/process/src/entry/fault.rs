//! Faults and system calls.

use core::sync::atomic::Ordering::Relaxed;

use architecture::{
    PageFault as _,
    x86_64::{
        PageFaultCode,
        exception::{DEBUG, PAGE, PROTECTION},
    },
};
use machine::Context;
use x86_64::fix_up;

use super::{
    outside,
    place::{Place, enter_kernel_at_once, leave_again, place, take_base},
    way::{self, Entry},
};
use crate::{
    clock,
    host::{
        frame::{Frame, Information},
        signal::{SIGSEGV, SIGSYS},
    },
    layout, panics,
    per_cpu::{self, Block},
};

/// The handler.
pub extern "sysv64" fn on_fault(number: u32, information: &Information, frame: &mut Frame) {
    if information.is_sent() {
        return outside::arrived(number, frame);
    }
    let Some(block) = per_cpu::of(frame) else { panics::fault(number, frame) };
    match place(frame, block) {
        Place::Program if number == u32::from(SIGSYS) => system_call(number, information, frame, block),
        Place::Program => {
            note(block, number, frame.vector(), frame.error(), frame.address());
            enter_kernel_at_once(number, frame, block, Entry::Trap);
        }
        Place::Leaving => leaving(number, frame, block),
        // The host's function does not read the clock in place, and asks the host as a program does.
        Place::Kernel if number == u32::from(SIGSYS) && block.reads_clock.load(Relaxed) => {
            frame.answer(clock::no_function());
        }
        Place::Kernel => kernel(number, frame),
    }
}

fn note(block: &Block, signal: u32, vector: u8, error: u32, address: usize) {
    block.fault.signal.store(signal, Relaxed);
    block.fault.vector.store(u32::from(vector), Relaxed);
    block.fault.error.store(error, Relaxed);
    block.fault.address.store(address, Relaxed);
}

fn system_call(number: u32, information: &Information, frame: &mut Frame, block: &Block) {
    if information.code == Information::DISPATCHED && information.architecture == Information::X86_64 {
        return enter_kernel_at_once(number, frame, block, Entry::SystemCall);
    }
    // A 32-bit system call, `int 0x80` as a rule: as where there are none, a protection fault of that instruction,
    // with the interrupt's number in the error code. Or a call of the host's legacy vsyscall page that our filter
    // refused.
    if information.code == Information::DISPATCHED {
        frame.back(2);
    }
    note(block, u32::from(SIGSEGV), PROTECTION, 0x80 << 3 | 2, 0);
    enter_kernel_at_once(number, frame, block, Entry::Trap);
}

/// A fault on the way out is the program's: its trap flag took effect early, or it goes on where no address can be.
fn leaving(number: u32, frame: &mut Frame, block: &Block) {
    match frame.vector() {
        DEBUG if block.pending.load(Relaxed) => leave_again(frame, block, Entry::Exit),
        DEBUG => {
            let context = block.context.load(Relaxed) as *const Context;
            // SAFETY: the program's registers lie there until it has left.
            frame.load(unsafe { &*context });
        }
        PROTECTION => {
            note(block, number, PROTECTION, frame.error(), 0);
            leave_again(frame, block, Entry::Trap);
        }
        _ => panics::fault(number, frame),
    }
}

/// Kernel code faults on purpose where it touches the program's memory, and where a call finds out whose GS base it
/// has.
fn kernel(number: u32, frame: &mut Frame) {
    if let Some(begin) = way::with_lost_base(frame.instruction()) {
        if let Some(block) = per_cpu::of(frame) {
            take_base(block);
        }
        return frame.jump(begin);
    }
    // A program that is single-stepped has called. Its trap flag is saved with its other flags.
    if frame.vector() == DEBUG && way::is_call(frame.instruction()) {
        if !way::has_program_flags(frame.instruction()) {
            frame.step_no_more();
        }
        return;
    }
    if let Some(resume) = fix_up::find_short(frame.instruction()).filter(|_| frame.vector() == PAGE) {
        return frame.jump(resume);
    }
    let Some(resume) = fix_up::find(frame.instruction()) else { panics::fault(number, frame) };
    if frame.vector() == PAGE {
        let error = PageFaultCode::new(frame.error());
        let is_program = layout::user_range().contains(&frame.address());
        // We are on the signal stack, and locks may be held around the copy: nobody sleeps.
        sync::keep_awake(true);
        let resolved = is_program
            && super::is_resolvable(error, number)
            && contracts::kernel::resolve_fault(frame.address(), error.access());
        sync::keep_awake(false);
        if resolved {
            return;
        }
    }
    frame.jump(resume);
}
