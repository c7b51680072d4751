//! Signals that end the process, and the report about a fault that did.

use alloc::vec::Vec;

use architecture::{HandlerRegisters as _, Registers as _};
use linux_abi::{
    constants::{SI_KERNEL, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP},
    structures::{SignalAction, SignalInformation},
};
use machine::{Access, Context, ExitReason, Record, Trap, TrapKind};
use signal_state::SignalSet;

use crate::objects::{end, signals, text::fill};

/// Signals that faults cause.
const FAULTS: SignalSet = SignalSet::of(&[SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP]);

/// Ends the process by the signal; a fault is explained first.
pub fn end(context: &Context, information: &SignalInformation) -> ! {
    let signal = information.si_signo as u8;
    if contracts::config().report && FAULTS.contains(signal) && information.si_code > 0 {
        report(context, signal);
    }
    end::process(ExitReason::Killed(signal))
}

/// The frame of a handler could not be built: SIGSEGV, and if it was for that signal, without its handler.
pub fn bad_frame(signal: u8) {
    if signal == SIGSEGV {
        crate::objects::process::process_signals().set_action(SIGSEGV, SignalAction::default());
    }
    kernel::debug!("signal {signal}: its handler's stack frame cannot be built");
    signals::force(SignalInformation { si_signo: SIGSEGV.into(), si_code: SI_KERNEL, ..SignalInformation::default() });
}

/// The lines of a report: what, where, and the registers.
#[cold]
#[inline(never)]
fn report(context: &Context, signal: u8) {
    let trap = crate::objects::process::thread_signals().last_trap;
    let mut line = crate::program().name.as_bytes().to_vec();
    for text in [" was ended by ", name(signal), ": "] {
        line.extend_from_slice(text.as_bytes());
    }
    what(&mut line, trap);
    place(&mut line, context.instruction_pointer());
    tell(&line);
    registers(context);
}

fn tell(line: &[u8]) {
    contracts::console::record(Record::Error, line);
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

/// A fault in words, up to where it was.
fn what(line: &mut Vec<u8>, trap: Option<Trap>) {
    let text = match trap {
        None => "at ",
        Some(Trap { kind: TrapKind::Page, access, address, .. }) => {
            let access = match access {
                Access::Read => "read of address 0x^ at rip ",
                Access::Write => "write of address 0x^ at rip ",
                Access::Execute => "execution of address 0x^ at rip ",
            };
            return fill(line, access, &[address as u64]);
        }
        Some(trap) => {
            line.extend_from_slice(words(trap.kind).as_bytes());
            " at rip "
        }
    };
    line.extend_from_slice(text.as_bytes());
}

const fn words(kind: TrapKind) -> &'static str {
    match kind {
        TrapKind::Divide => "division by zero or with overflow",
        TrapKind::Debug => "debug trap",
        TrapKind::Breakpoint => "breakpoint",
        TrapKind::Bound => "bounds check",
        TrapKind::InvalidInstruction => "invalid instruction",
        TrapKind::Page => "page fault",
        TrapKind::Protection | TrapKind::Halt => "privileged instruction or impossible address",
        TrapKind::Stack => "impossible address on the stack",
        TrapKind::FloatingPoint => "floating-point exception",
        TrapKind::Alignment => "misaligned access",
    }
}

/// An address, with the mapping it lies in.
fn place(line: &mut Vec<u8>, address: usize) {
    fill(line, "0x^", &[address as u64]);
    let Some(region) = crate::space().region(address) else { return };
    let inside = (address - region.start) as u64;
    match region.file.as_ref().map(|file| file.path()) {
        Some(name) => {
            line.extend_from_slice(b" (");
            line.extend_from_slice(name.as_bytes());
            fill(line, "+0x^)", &[region.offset + inside]);
        }
        None => fill(line, " (anonymous memory 0x^+0x^)", &[region.start as u64, inside]),
    }
}

/// The general registers, four a line.
fn registers(context: &Context) {
    for (text, values) in &context.lines() {
        let mut line = Vec::new();
        fill(&mut line, text, values);
        tell(&line);
    }
}
