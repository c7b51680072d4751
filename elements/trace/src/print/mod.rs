//! Records as lines: how strace(1) prints them.

mod argument;
#[cfg(test)]
mod tests;
mod text;

use core::fmt::{Display, Formatter, Result};

use linux_abi::{Answer, Argument, Errno};
use machine::{ExitReason, TrapKind};

use crate::{CallRecord, Event, Record};
use argument::Signal;
use text::Hexadecimal;

impl Display for Record<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> Result {
        match self {
            Self::Call(call) => call.fmt(out),
            Self::Event(event) => event.fmt(out),
        }
    }
}

impl Display for CallRecord<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> Result {
        thread(self.thread, out)?;
        let number = usize::try_from(self.number).unwrap_or(usize::MAX);
        match linux_abi::system_call_name(number) {
            Some(name) => write!(out, "{name}(")?,
            None => write!(out, "syscall_{:#x}(", self.number)?,
        }
        let row = linux_abi::system_call(number);
        let types = row.map_or([Argument::Hexadecimal; 6], |row| row.arguments);
        for (index, &kind) in types.iter().enumerate().filter(|&(index, &kind)| argument::counts(kind, self, index)) {
            if index > 0 {
                out.write_str(", ")?;
            }
            argument::write(kind, self, index, out)?;
        }
        out.write_str(") = ")?;
        match self.result {
            Some(result) => answer(row.map_or(Answer::Number, |row| row.answer), result, out),
            None => out.write_str("?"),
        }
    }
}

/// Who it was, if there are several.
fn thread(id: u32, out: &mut Formatter<'_>) -> Result {
    if id == 0 { Ok(()) } else { write!(out, "[{id}] ") }
}

fn answer(kind: Answer, result: i64, out: &mut Formatter<'_>) -> Result {
    let number = result.checked_neg().and_then(|number| u16::try_from(number).ok());
    if let Some((number, (name, message))) = number.and_then(|number| Some((number, Errno::describe(number)?))) {
        let answer = if number >= Errno::FIRST_RESTART { "?" } else { "-1" };
        return write!(out, "{answer} {name} ({message})");
    }
    match kind {
        Answer::Address => write!(out, "{}", Hexadecimal(result as u64)),
        Answer::Mode => write!(out, "0{result:o}"),
        Answer::Number | Answer::Never => write!(out, "{result}"),
    }
}

impl Display for Event {
    fn fmt(&self, out: &mut Formatter<'_>) -> Result {
        match *self {
            Self::Signal { thread: id, number, code, address } => {
                thread(id, out)?;
                let name = Signal(number);
                write!(out, "--- {name} {{si_signo={name}, si_code={code}, si_addr={address:#x}}} ---")
            }
            Self::Trap { kind: TrapKind::Page, access, address, instruction } => {
                write!(out, "fault: {access:?} of {address:#x} at rip {instruction:#x}")
            }
            Self::Trap { kind, instruction, .. } => write!(out, "fault: {kind:?} at rip {instruction:#x}"),
            Self::Page { access, address } => write!(out, "fault: {access:?} of {address:#x}, page is there now"),
            Self::Ended(ExitReason::Exited(status)) => write!(out, "+++ exited with {status} +++"),
            Self::Ended(ExitReason::Killed(number)) => write!(out, "+++ killed by {} +++", Signal(number.into())),
            Self::Ended(reason) => write!(out, "+++ {reason:?} +++"),
            Self::Missing { number } => {
                let name = usize::try_from(number).ok().and_then(linux_abi::system_call_name);
                let name = name.unwrap_or("no system call of Linux");
                write!(out, "system call {number} ({name}) is not there: ENOSYS")
            }
        }
    }
}
