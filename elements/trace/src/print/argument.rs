//! One argument, by its type.

use core::fmt::{Display, Formatter, Result, Write};

use linux_abi::{
    Argument,
    constants::{AT_FDCWD, OpenFlags, SIGNALS, SIGRTMAX},
};

use super::text::{Address, Hexadecimal, Quoted};
use crate::{CallRecord, Piece};

/// The bit of O_TMPFILE beside O_DIRECTORY.
const TMPFILE: u64 = 0o20_000_000;

/// Whether the argument at `index` counts.
pub fn counts(kind: Argument, call: &CallRecord<'_>, index: usize) -> bool {
    match kind {
        Argument::None => false,
        Argument::CreationMode => call.arguments[index - 1] & (u64::from(OpenFlags::O_CREAT.bits()) | TMPFILE) != 0,
        _ => true,
    }
}

/// Writes the argument at `index`; what it points at if the record has that, else the address.
pub fn write(kind: Argument, call: &CallRecord<'_>, index: usize, out: &mut Formatter<'_>) -> Result {
    let value = call.arguments[index];
    if let Some(piece) = call.piece(index)
        && let Some(result) = pointed_at(kind, value, piece, out)
    {
        return result;
    }
    match kind {
        Argument::None => Ok(()),
        Argument::Directory if value as i32 == AT_FDCWD => out.write_str("AT_FDCWD"),
        Argument::Descriptor | Argument::Signed | Argument::Owner | Argument::Directory => {
            write!(out, "{}", value as i32)
        }
        Argument::Path
        | Argument::Input
        | Argument::Output
        | Argument::Pointer
        | Argument::Address
        | Argument::Strings
        | Argument::Environment
        | Argument::SignalSet
        | Argument::TimeSpec => write!(out, "{}", Address(value)),
        Argument::Size => write!(out, "{value}"),
        Argument::Count => write!(out, "{}", value as u32),
        Argument::Offset => write!(out, "{}", value as i64),
        Argument::MapOffset | Argument::Word => write!(out, "{}", Hexadecimal(value)),
        Argument::Hexadecimal => write!(out, "{}", Hexadecimal(value & u64::from(u32::MAX))),
        Argument::Mode | Argument::CreationMode => write!(out, "{:04o}", value as u32),
        Argument::Signal => write!(out, "{}", Signal(value as i32)),
        Argument::Flags(names) => names.flags().format(value as u32 as u64, out),
        Argument::LongFlags(names) => names.flags().format(value, out),
    }
}

/// Writes the memory of an argument; `None` if it is not what the type says.
fn pointed_at(kind: Argument, address: u64, piece: Piece<'_>, out: &mut Formatter<'_>) -> Option<Result> {
    let dots = if piece.more { "..." } else { "" };
    Some(match kind {
        Argument::Path | Argument::Input | Argument::Output => write!(out, "{}{dots}", Quoted(piece.bytes)),
        Argument::Strings => list(piece, out),
        Argument::Environment => {
            let count = u32::from_le_bytes(piece.bytes.try_into().ok()?);
            write!(out, "{address:#x} /* {count} vars{dots} */")
        }
        Argument::SignalSet => set(u64::from_le_bytes(piece.bytes.try_into().ok()?), out),
        Argument::TimeSpec => {
            let (words, rest) = piece.bytes.as_chunks();
            let ([seconds, nanoseconds], []) = (words, rest) else { return None };
            let [seconds, nanoseconds] = [seconds, nanoseconds].map(|word| i64::from_le_bytes(*word));
            write!(out, "{{tv_sec={seconds}, tv_nsec={nanoseconds}}}")
        }
        _ => return None,
    })
}

/// Strings in brackets; each ends with a NUL.
fn list(piece: Piece<'_>, out: &mut Formatter<'_>) -> Result {
    out.write_char('[')?;
    let mut comma = "";
    for string in piece.bytes.split_inclusive(|&byte| byte == 0) {
        let string = string.strip_suffix(&[0]).unwrap_or(string);
        write!(out, "{}{}", core::mem::replace(&mut comma, ", "), Quoted(string))?;
    }
    if piece.more {
        write!(out, "{comma}...")?;
    }
    out.write_char(']')
}

/// A set of signals; a large one by what is not in it.
fn set(bits: u64, out: &mut Formatter<'_>) -> Result {
    let (bits, open) = if bits.count_ones() > 32 { (!bits, "~[") } else { (bits, "[") };
    out.write_str(open)?;
    let mut space = "";
    for number in (1..=SIGRTMAX).filter(|number| bits >> (number - 1) & 1 != 0) {
        out.write_str(core::mem::replace(&mut space, " "))?;
        Signal(number.into()).write_to(&mut WithoutPrefix(out))?;
    }
    out.write_char(']')
}

/// A signal by name, or a number that is none.
#[derive(Clone, Copy)]
pub struct Signal(pub i32);

impl Signal {
    fn write_to(self, out: &mut dyn Write) -> Result {
        match self.0 {
            number @ 1..=31 => SIGNALS.format(number as u64, out),
            32 => out.write_str("SIGRTMIN"),
            number @ 33..=64 => write!(out, "SIGRT_{}", number - 32),
            number => write!(out, "{number}"),
        }
    }
}

impl Display for Signal {
    fn fmt(&self, out: &mut Formatter<'_>) -> Result {
        self.write_to(out)
    }
}

/// Drops the `SIG` of a name.
struct WithoutPrefix<'a, 'b>(&'a mut Formatter<'b>);

impl Write for WithoutPrefix<'_, '_> {
    fn write_str(&mut self, text: &str) -> Result {
        self.0.write_str(text.strip_prefix("SIG").unwrap_or(text))
    }
}
