//! Faults of the application become signals: `arch/x86/kernel/traps.c`.

use linux_abi::{
    constants::{
        BUS_ADRALN, FPE_INTDIV, ILL_ILLOPN, SEGV_ACCERR, SEGV_MAPERR, SI_KERNEL, SIGBUS, SIGFPE, SIGILL, SIGSEGV,
        SIGTRAP, TRAP_TRACE,
    },
    structures::SignalInformation,
};
use machine::{Context, Trap, TrapKind};

use crate::{current, signal::deliver, trace};

/// FPE_FLTUNK: a floating-point exception of which no more is known.
const FPE_FLTUNK: i32 = 14;

/// The application did what the processor refuses.
pub fn trap(context: &mut Context, trap: Trap) {
    if trace::faults() {
        trace::fault(context, trap);
    }
    context.entry = Context::NO_SYSTEM_CALL;
    current().signals.lock().last_trap = Some(trap);
    deliver::force(information(context, trap));
}

/// Signal, code and address for a fault.
fn information(context: &Context, trap: Trap) -> SignalInformation {
    let (signal, code, address) = match trap.kind {
        TrapKind::Divide => (SIGFPE, FPE_INTDIV, context.rip),
        TrapKind::Debug => (SIGTRAP, TRAP_TRACE, context.rip),
        TrapKind::Breakpoint => (SIGTRAP, SI_KERNEL, 0),
        TrapKind::InvalidInstruction => (SIGILL, ILL_ILLOPN, context.rip),
        TrapKind::Page => (SIGSEGV, page_code(trap.address), trap.address as u64),
        TrapKind::Bound | TrapKind::Protection => (SIGSEGV, SI_KERNEL, 0),
        TrapKind::FloatingPoint => (SIGFPE, FPE_FLTUNK, context.rip),
        TrapKind::Alignment => (SIGBUS, BUS_ADRALN, 0),
    };
    SignalInformation::fault(signal, code, address)
}

/// Whether something is mapped there that does not allow the access, or nothing is.
fn page_code(address: usize) -> i32 {
    match kernel::task::current().space().region(address) {
        Some(_) => SEGV_ACCERR,
        None => SEGV_MAPERR,
    }
}
