//! One argument, decoded by its type.

use core::fmt::{Result, Write};

use alloc::vec::Vec;

use linux_abi::{
    Argument, Errno,
    constants::{AT_FDCWD, O_CREAT, SIGNALS, SIGRTMAX},
    structures::TimeSpec,
};

use crate::{
    signal::SignalSet,
    trace::text::{Address, List, Quoted},
    user,
};

/// Bytes of a buffer that are shown.
const SHOWN: usize = 32;
/// Strings of an array that are read.
const MAX_STRINGS: usize = 32;
/// The bit of O_TMPFILE beside O_DIRECTORY.
const TMPFILE: usize = 0o20_000_000;

/// Whether the argument at `index` counts.
pub fn counts(kind: Argument, arguments: &[usize; 6], index: usize) -> bool {
    match kind {
        Argument::None => false,
        Argument::CreationMode => arguments[index - 1] & (O_CREAT as usize | TMPFILE) != 0,
        _ => true,
    }
}

/// Writes the argument at `index`.
pub fn decode(kind: Argument, arguments: &[usize; 6], index: usize, out: &mut dyn Write) -> Result {
    let value = arguments[index];
    match kind {
        Argument::None => Ok(()),
        Argument::Directory if value as i32 == AT_FDCWD => out.write_str("AT_FDCWD"),
        Argument::Descriptor | Argument::Signed | Argument::Directory => write!(out, "{}", value as i32),
        Argument::Path => path(value, out),
        Argument::Input => bytes(value, arguments[(index + 1) % 6], out),
        Argument::Output | Argument::Pointer => address(value, out),
        Argument::Strings | Argument::Environment => match strings(value) {
            None => address(value, out),
            Some(list) if kind == Argument::Strings => write!(out, "{}", List(&list)),
            Some(list) => write!(out, "{value:#x} /* {} vars */", list.len()),
        },
        Argument::Size => write!(out, "{value}"),
        Argument::Offset => write!(out, "{}", value as i64),
        Argument::MapOffset if value == 0 => out.write_str("0"),
        Argument::MapOffset | Argument::Hexadecimal => write!(out, "{value:#x}"),
        Argument::SignalSet => set(value, out),
        Argument::TimeSpec => time(value, out),
        Argument::Mode | Argument::CreationMode => write!(out, "{:04o}", value as u32),
        Argument::Signal => signal(value as i32, out),
        Argument::Flags(names) => names.flags().format(value as u32 as u64, out),
    }
}

fn address(value: usize, out: &mut dyn Write) -> Result {
    write!(out, "{}", Address(value))
}

/// The name of a signal number, or the number.
pub fn signal(number: i32, out: &mut dyn Write) -> Result {
    match number {
        1..=31 => SIGNALS.format(number as u64, out),
        32 => out.write_str("SIGRTMIN"),
        33..=64 => write!(out, "SIGRT_{}", number - 32),
        _ => write!(out, "{number}"),
    }
}

fn path(value: usize, out: &mut dyn Write) -> Result {
    match user::read_path(value) {
        Ok(path) => write!(out, "{}", Quoted(&path)),
        Err(_) => address(value, out),
    }
}

/// The first bytes of a buffer, with dots if there are more.
pub fn bytes(value: usize, length: usize, out: &mut dyn Write) -> Result {
    let mut bytes = [0; SHOWN];
    let shown = &mut bytes[..length.min(SHOWN)];
    if value == 0 || user::copy_in(shown, value).is_err() {
        return address(value, out);
    }
    write!(out, "{}{}", Quoted(shown), if length > SHOWN { "..." } else { "" })
}

fn strings(address: usize) -> Option<Vec<Vec<u8>>> {
    let mut strings = Vec::new();
    while strings.len() < MAX_STRINGS {
        let slot = address.checked_add(strings.len() * user::POINTER)?;
        match user::read_struct::<usize>(slot).ok()? {
            0 => break,
            pointer => strings.push(user::read_string(pointer, 4096, Errno::E2BIG).ok()?),
        }
    }
    Some(strings)
}

/// A set of signals; a large one by what is not in it.
fn set(value: usize, out: &mut dyn Write) -> Result {
    let Ok(bits) = user::read_struct::<u64>(value) else { return address(value, out) };
    let (set, sign) = if bits.count_ones() > 32 { (SignalSet(!bits), "~[") } else { (SignalSet(bits), "[") };
    out.write_str(sign)?;
    let mut space = "";
    for number in (1..=SIGRTMAX).filter(|&number| set.contains(number)) {
        out.write_str(core::mem::replace(&mut space, " "))?;
        signal(number.into(), out)?;
    }
    out.write_str("]")
}

fn time(value: usize, out: &mut dyn Write) -> Result {
    match user::read_struct::<TimeSpec>(value) {
        Ok(time) => write!(out, "{{tv_sec={}, tv_nsec={}}}", time.tv_sec, time.tv_nsec),
        Err(_) => address(value, out),
    }
}
