//! Signals that end the process, and the report about a fault that did.

use core::fmt::{self, Write};

use alloc::string::String;
use linux_abi::{
    constants::{SI_KERNEL, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP},
    structures::{SignalAction, SignalInformation},
};
use machine::{Access, Context, ExitReason, Trap, TrapKind};

use crate::{
    current, end, process,
    signal::{SignalSet, deliver},
};

/// Signals that faults cause.
const FAULTS: SignalSet = SignalSet::of(&[SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP]);

/// Ends the process by the signal; a fault is explained first.
pub fn end(context: &Context, information: &SignalInformation) -> ! {
    let signal = information.si_signo as u8;
    if FAULTS.contains(signal) && information.si_code > 0 {
        report(context, signal);
    }
    end::end(ExitReason::Killed(signal))
}

/// The frame of a handler could not be built: SIGSEGV, and if it was for that signal, without its handler.
pub fn bad_frame(signal: u8) {
    if signal == SIGSEGV {
        process().signals.lock().set_action(SIGSEGV, SignalAction::default());
    }
    kernel::debug!("signal {signal}: its handler's stack frame cannot be built");
    deliver::force(SignalInformation { si_signo: SIGSEGV.into(), si_code: SI_KERNEL, ..SignalInformation::default() });
}

/// The lines of a report: what, where, and the registers.
fn report(context: &Context, signal: u8) {
    let trap = current().signals.lock().last_trap;
    let program = process().program.lock().clone();
    kernel::error!("{} was ended by {}: {}", program.name, name(signal), What { trap, rip: context.rip as usize });
    for line in lines(context) {
        kernel::error!("{line}");
    }
}

/// The name of one of [`FAULTS`].
const fn name(signal: u8) -> &'static str {
    match signal {
        SIGSEGV => "SIGSEGV",
        SIGBUS => "SIGBUS",
        SIGILL => "SIGILL",
        SIGFPE => "SIGFPE",
        _ => "SIGTRAP",
    }
}

/// A fault in words.
struct What {
    trap: Option<Trap>,
    rip: usize,
}

impl fmt::Display for What {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(trap) = self.trap else { return write!(out, "at {}", Place(self.rip)) };
        match trap.kind {
            TrapKind::Page => {
                let access = match trap.access {
                    Access::Read => "read",
                    Access::Write => "write",
                    Access::Execute => "execution",
                };
                write!(out, "{access} of address {:#x}", trap.address)?;
            }
            kind => out.write_str(words(kind))?,
        }
        write!(out, " at rip {}", Place(self.rip))
    }
}

const fn words(kind: TrapKind) -> &'static str {
    match kind {
        TrapKind::Divide => "division by zero or with overflow",
        TrapKind::Debug => "debug trap",
        TrapKind::Breakpoint => "breakpoint",
        TrapKind::Bound => "bounds check",
        TrapKind::InvalidInstruction => "invalid instruction",
        TrapKind::Page => "page fault",
        TrapKind::Protection => "privileged instruction or impossible address",
        TrapKind::FloatingPoint => "floating-point exception",
        TrapKind::Alignment => "misaligned access",
    }
}

/// An address, with the mapping it lies in.
struct Place(usize);

impl fmt::Display for Place {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:#x}", self.0)?;
        let Some(region) = kernel::task::current().space().region(self.0) else { return Ok(()) };
        match &region.name {
            Some(name) => write!(out, " ({name}+{:#x})", region.offset + (self.0 - region.start) as u64),
            None => write!(out, " (anonymous memory {:#x}+{:#x})", region.start, self.0 - region.start),
        }
    }
}

/// The general registers, four a line.
fn lines(context: &Context) -> impl Iterator<Item = String> {
    let registers = [
        ("rax", context.rax),
        ("rbx", context.rbx),
        ("rcx", context.rcx),
        ("rdx", context.rdx),
        ("rsi", context.rsi),
        ("rdi", context.rdi),
        ("rbp", context.rbp),
        ("rsp", context.rsp),
        ("r8 ", context.r8),
        ("r9 ", context.r9),
        ("r10", context.r10),
        ("r11", context.r11),
        ("r12", context.r12),
        ("r13", context.r13),
        ("r14", context.r14),
        ("r15", context.r15),
        ("rip", context.rip),
        ("flags", context.rflags),
    ];
    (0..registers.len()).step_by(4).map(move |start| {
        let mut line = String::from(" ");
        for (name, value) in registers.iter().skip(start).take(4) {
            // A String takes everything that is written to it.
            let _ = write!(line, " {name} {value:016x}");
        }
        line
    })
}
