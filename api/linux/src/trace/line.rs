//! The lines of a trace.

use alloc::{format, string::String, vec::Vec};

use linux_abi::{Answer, Argument, Errno, SystemCall, structures::SignalInformation};
use machine::{Context, ExitReason, Record, Trap, TrapKind};

use crate::{
    dispatch,
    start::Wish,
    trace::{
        argument::{self, decode},
        text::{Address, List, Quoted},
    },
};

fn line(arguments: core::fmt::Arguments<'_>) {
    kernel::log::line(Record::Trace, arguments);
}

/// Has the system call answered, and prints it: arguments as they were before, what was read as it is behind.
pub fn system_call(context: &mut Context) {
    let number = context.number();
    let arguments = context.arguments();
    let Some(row) = linux_abi::system_call(number) else {
        dispatch::answer(context);
        return unknown(number, &arguments, context.rax as i64);
    };
    let mut parts: Vec<Option<String>> =
        row.arguments.iter().enumerate().map(|(index, (_, kind))| decode(*kind, &arguments, index)).collect();
    if row.answer == Answer::Never {
        line(format_args!("{}({}) = ?", row.name, join(&parts)));
    }
    dispatch::answer(context);
    let result = context.rax as i64;
    show_output(row, &arguments, result, &mut parts);
    line(format_args!("{}({}) = {}", row.name, join(&parts), answer(row.answer, result)));
}

fn join(parts: &[Option<String>]) -> String {
    let parts: Vec<&str> = parts.iter().flatten().map(String::as_str).collect();
    parts.join(", ")
}

/// Buffers that the call has filled.
fn show_output(row: &SystemCall, arguments: &[usize; 6], result: i64, parts: &mut [Option<String>]) {
    let Ok(length) = usize::try_from(result) else { return };
    for (index, (_, kind)) in row.arguments.iter().enumerate() {
        if matches!(kind, Argument::Output) {
            parts[index] = Some(argument::bytes(arguments[index], length));
        }
    }
}

fn answer(kind: Answer, result: i64) -> String {
    if let Some(number) = result.checked_neg().and_then(|number| u16::try_from(number).ok())
        && let Some((name, message)) = Errno::describe(number)
    {
        let answer = if number >= Errno::FIRST_RESTART { "?" } else { "-1" };
        return format!("{answer} {name} ({message})");
    }
    match kind {
        Answer::Address => format!("{result:#x}"),
        Answer::Mode => format!("0{result:o}"),
        Answer::Number | Answer::Never => format!("{result}"),
    }
}

/// A system call that is not in the table.
fn unknown(number: usize, arguments: &[usize; 6], result: i64) {
    let arguments: Vec<Option<String>> = arguments.iter().map(|value| Some(format!("{value:#x}"))).collect();
    let (arguments, answer) = (join(&arguments), answer(Answer::Number, result));
    match linux_abi::system_call_name(number) {
        Some(name) => line(format_args!("{name}({arguments}) = {answer}")),
        None => line(format_args!("syscall_{number:#x}({arguments}) = {answer}")),
    }
}

/// The execve that the command stands for; `context` holds the program's first registers.
pub fn first_program(wish: &Wish, context: &Context) {
    // Behind the count, the arguments and their NULL.
    let environment = context.rsp as usize + (wish.arguments.len().max(1) + 2) * size_of::<usize>();
    let (path, arguments, count) = (Quoted(&wish.path), List(&wish.arguments), wish.environment.len());
    line(format_args!("execve({path}, {arguments}, {} /* {count} vars */) = 0", Address(environment)));
}

/// A signal is delivered.
pub fn signal(information: &SignalInformation) {
    let name = argument::signal(information.si_signo);
    let code = information.si_code;
    line(format_args!("--- {name} {{si_signo={name}, si_code={code}, si_addr={:#x}}} ---", information.fields[0]));
}

/// The processor refused something.
pub fn fault(context: &Context, trap: Trap) {
    match trap.kind {
        TrapKind::Page => {
            line(format_args!("fault: {:?} of {:#x} at rip {:#x}", trap.access, trap.address, context.rip));
        }
        kind => line(format_args!("fault: {kind:?} at rip {:#x}", context.rip)),
    }
}

/// The process is over.
pub fn ended(reason: ExitReason) {
    match reason {
        ExitReason::Exited(status) => line(format_args!("+++ exited with {status} +++")),
        ExitReason::Killed(number) => line(format_args!("+++ killed by {} +++", argument::signal(number.into()))),
        ExitReason::Failed | ExitReason::CannotExecute | ExitReason::NotFound => {}
    }
}
