//! The lines of a trace.

use core::fmt::{Result, Write};

use alloc::string::String;

use linux_abi::{Answer, Argument, Errno, structures::SignalInformation};
use machine::{Context, ExitReason, Record, Trap, TrapKind};

use crate::{
    dispatch,
    start::Wish,
    trace::{
        argument::{self, decode},
        text::{Address, List, Quoted},
    },
};

/// Prints a line that `write` makes. A String takes everything that is written to it.
fn line(write: impl FnOnce(&mut String) -> Result) {
    let mut text = String::new();
    let _ = write(&mut text);
    contracts::console::record(Record::Trace, &text);
}

/// Has the system call answered, and prints it: arguments as they were before, what was read as it is behind.
#[cold]
#[inline(never)]
pub fn system_call(context: &mut Context) {
    let number = context.number();
    let arguments = context.arguments();
    let row = linux_abi::system_call(number);
    let types = row.map_or([Argument::Hexadecimal; 6], |row| row.arguments);
    let kind = row.map_or(Answer::Number, |row| row.answer);
    let output = types.iter().position(|&kind| kind == Argument::Output).unwrap_or(6);
    let (mut before, mut behind) = (String::new(), String::new());
    let _ = name(number, &mut before)
        .and_then(|()| list(&types, &arguments, 0..output, &mut before))
        .and_then(|()| list(&types, &arguments, output + 1..6, &mut behind));
    if kind == Answer::Never {
        line(|out| write!(out, "{before}) = ?"));
    }
    dispatch::answer(context);
    let result = context.rax as i64;
    line(|out| {
        out.write_str(&before)?;
        if let Some(&address) = arguments.get(output) {
            separate(output, out)?;
            match usize::try_from(result) {
                Ok(length) => argument::bytes(address, length, out)?,
                Err(_) => write!(out, "{}", Address(address))?,
            }
        }
        write!(out, "{behind}) = ")?;
        answer(kind, result, out)
    });
}

fn name(number: usize, out: &mut dyn Write) -> Result {
    match linux_abi::system_call_name(number) {
        Some(name) => write!(out, "{name}("),
        None => write!(out, "syscall_{number:#x}("),
    }
}

/// The arguments with these numbers.
fn list(types: &[Argument; 6], arguments: &[usize; 6], range: core::ops::Range<usize>, out: &mut dyn Write) -> Result {
    for index in range {
        if argument::counts(types[index], arguments, index) {
            separate(index, out)?;
            decode(types[index], arguments, index, out)?;
        }
    }
    Ok(())
}

fn separate(index: usize, out: &mut dyn Write) -> Result {
    if index > 0 { out.write_str(", ") } else { Ok(()) }
}

fn answer(kind: Answer, result: i64, out: &mut dyn Write) -> Result {
    if let Some(number) = result.checked_neg().and_then(|number| u16::try_from(number).ok())
        && let Some((name, message)) = Errno::describe(number)
    {
        let answer = if number >= Errno::FIRST_RESTART { "?" } else { "-1" };
        return write!(out, "{answer} {name} ({message})");
    }
    match kind {
        Answer::Address => write!(out, "{result:#x}"),
        Answer::Mode => write!(out, "0{result:o}"),
        Answer::Number | Answer::Never => write!(out, "{result}"),
    }
}

/// The execve that the command stands for; `context` holds the program's first registers.
pub fn first_program(wish: &Wish, context: &Context) {
    // Behind the count, the arguments and their NULL.
    let environment = context.rsp as usize + (wish.arguments.len().max(1) + 2) * size_of::<usize>();
    let (path, arguments, count) = (Quoted(&wish.path), List(&wish.arguments), wish.environment.len());
    line(|out| write!(out, "execve({path}, {arguments}, {environment:#x} /* {count} vars */) = 0"));
}

/// A signal is delivered.
pub fn signal(information: &SignalInformation) {
    let (number, code, word) = (information.si_signo, information.si_code, information.fields[0]);
    line(|out| {
        out.write_str("--- ")?;
        argument::signal(number, out)?;
        write!(out, " {{si_signo={number}, si_code={code}, si_addr={word:#x}}} ---")
    });
}

/// The processor refused something.
pub fn fault(context: &Context, trap: Trap) {
    line(|out| match trap.kind {
        TrapKind::Page => {
            write!(out, "fault: {:?} of {:#x} at rip {:#x}", trap.access, trap.address, context.rip)
        }
        kind => write!(out, "fault: {kind:?} at rip {:#x}", context.rip),
    });
}

/// The process is over.
pub fn ended(reason: ExitReason) {
    match reason {
        ExitReason::Exited(status) => line(|out| write!(out, "+++ exited with {status} +++")),
        ExitReason::Killed(number) => line(|out| {
            out.write_str("+++ killed by ")?;
            argument::signal(number.into(), out)?;
            out.write_str(" +++")
        }),
        ExitReason::Failed | ExitReason::CannotExecute | ExitReason::NotFound => {}
    }
}
