//! Faults of the application become signals: `arch/x86/kernel/traps.c`.

use architecture::{HandlerRegisters as _, Registers as _};
use kernel::memory::RegionKind;
use linux_abi::{
    constants::{
        BUS_ADRALN, BUS_ADRERR, FPE_FLTDIV, FPE_FLTINV, FPE_FLTOVF, FPE_FLTRES, FPE_FLTUND, FPE_FLTUNK, FPE_INTDIV,
        ILL_ILLOPN, SEGV_ACCERR, SEGV_MAPERR, SI_KERNEL, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP, TRAP_TRACE,
    },
    structures::SignalInformation,
};
use machine::{Context, Trap, TrapKind};

use crate::objects::{signals, trace};

/// `si_code` by exception bit (invalid, denormal, division, overflow, underflow, inexact), in the order in which Linux
/// looks at them (`fpu__exception_code`).
const FLOATING_POINT_CODES: [(u8, i32); 6] =
    [(1, FPE_FLTINV), (4, FPE_FLTDIV), (8, FPE_FLTOVF), (0x10, FPE_FLTUND), (2, FPE_FLTUND), (0x20, FPE_FLTRES)];

/// The application did what the processor refuses.
pub fn trap(context: &mut Context, trap: Trap) {
    context.entry = Context::NO_SYSTEM_CALL;
    if trap.kind == TrapKind::Halt && is_made(context.instruction_pointer()) {
        context.skip_halt();
        return;
    }
    if trace::faults() {
        trace::fault(context, trap);
    }
    crate::objects::process::thread_signals().last_trap = Some(trap);
    signals::force(information(context, trap));
}

/// Signal, code and address for a fault.
fn information(context: &Context, trap: Trap) -> SignalInformation {
    let instruction = context.instruction_pointer() as u64;
    let (signal, code, address) = match trap.kind {
        TrapKind::Divide => (SIGFPE, FPE_INTDIV, instruction),
        TrapKind::Debug => (SIGTRAP, TRAP_TRACE, instruction),
        TrapKind::Breakpoint => (SIGTRAP, SI_KERNEL, 0),
        TrapKind::InvalidInstruction => (SIGILL, ILL_ILLOPN, instruction),
        TrapKind::Page => {
            let (signal, code) = page_code(&trap);
            (signal, code, trap.address as u64)
        }
        TrapKind::Bound | TrapKind::Protection | TrapKind::Halt => (SIGSEGV, SI_KERNEL, 0),
        TrapKind::Stack => (SIGBUS, SI_KERNEL, 0),
        TrapKind::FloatingPoint => (SIGFPE, floating_point_code(trap.vector), instruction),
        TrapKind::Alignment => (SIGBUS, BUS_ADRALN, 0),
    };
    SignalInformation::fault(signal, code, address)
}

/// Whether code there was made by the program, not by a compiler: then a `hlt` before it says nothing. Virtual machines
/// fill with it what nobody may come to, right up to where they jump.
fn is_made(address: usize) -> bool {
    crate::space().region(address).is_some_and(|region| matches!(region.kind, RegionKind::Data | RegionKind::Shared))
}

/// Whether something is mapped there that does not allow the access, nothing is, or a file has no page to give.
fn page_code(&Trap { address, access, .. }: &Trap) -> (u8, i32) {
    match crate::space().region(address) {
        Some(_) if crate::space().is_files_fault(address, access) => (SIGBUS, BUS_ADRERR),
        Some(_) => (SIGSEGV, SEGV_ACCERR),
        None => (SIGSEGV, SEGV_MAPERR),
    }
}

/// Why the floating-point unit stopped.
fn floating_point_code(vector: u8) -> i32 {
    let raised = instruction_set::vector::raised_exceptions(vector);
    FLOATING_POINT_CODES.iter().find(|(bit, _)| raised & bit != 0).map_or(FPE_FLTUNK, |&(_, code)| code)
}
