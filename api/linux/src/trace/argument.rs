//! One argument, decoded by its type.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

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

/// The argument at `index`, as text. `None` for one that does not count.
pub fn decode(kind: Argument, arguments: &[usize; 6], index: usize) -> Option<String> {
    let value = arguments[index];
    Some(match kind {
        Argument::Descriptor | Argument::Signed => format!("{}", value as i32),
        Argument::Directory if value as i32 == AT_FDCWD => "AT_FDCWD".to_string(),
        Argument::Directory => format!("{}", value as i32),
        Argument::Path => path(value),
        Argument::Input => bytes(value, arguments[(index + 1) % 6]),
        Argument::Output | Argument::Pointer => Address(value).to_string(),
        Argument::Strings => strings(value).map_or_else(|| Address(value).to_string(), |list| List(&list).to_string()),
        Argument::Environment => match strings(value) {
            Some(list) => format!("{value:#x} /* {} vars */", list.len()),
            None => Address(value).to_string(),
        },
        Argument::Size => format!("{value}"),
        Argument::Offset => format!("{}", value as i64),
        Argument::MapOffset if value == 0 => "0".to_string(),
        Argument::MapOffset | Argument::Hexadecimal => format!("{value:#x}"),
        Argument::SignalSet => set(value),
        Argument::TimeSpec => time(value),
        Argument::Mode => mode(value),
        Argument::CreationMode if creates(arguments[index - 1]) => mode(value),
        Argument::CreationMode => return None,
        Argument::Signal => signal(value as i32),
        Argument::Flags(flags) => {
            let mut text = String::new();
            // A String takes everything that is written to it.
            let _ = flags.format(value as u32 as u64, &mut text);
            text
        }
    })
}

const fn creates(flags: usize) -> bool {
    flags & (O_CREAT as usize | TMPFILE) != 0
}

fn mode(value: usize) -> String {
    format!("{:#03o}", value as u32).replacen("0o", "0", 1)
}

/// The name of a signal number, or the number.
pub fn signal(number: i32) -> String {
    match u64::try_from(number) {
        Ok(value @ 1..=31) => {
            let mut text = String::new();
            // A String takes everything that is written to it.
            let _ = SIGNALS.format(value, &mut text);
            text
        }
        Ok(value @ 32..=64) => match value - 32 {
            0 => "SIGRTMIN".to_string(),
            more => format!("SIGRT_{more}"),
        },
        _ => format!("{number}"),
    }
}

fn path(address: usize) -> String {
    match user::read_path(address) {
        Ok(path) => Quoted(&path).to_string(),
        Err(_) => Address(address).to_string(),
    }
}

/// The first bytes of a buffer, with dots if there are more.
pub fn bytes(address: usize, length: usize) -> String {
    let mut bytes = [0; SHOWN];
    let shown = &mut bytes[..length.min(SHOWN)];
    if address == 0 || user::copy_in(shown, address).is_err() {
        return Address(address).to_string();
    }
    let dots = if length > SHOWN { "..." } else { "" };
    format!("{}{dots}", Quoted(shown))
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

fn set(address: usize) -> String {
    let Ok(bits) = user::read_struct::<u64>(address) else { return Address(address).to_string() };
    let (set, sign) = if bits.count_ones() > 32 { (SignalSet(!bits), "~") } else { (SignalSet(bits), "") };
    let names: Vec<String> = (1..=SIGRTMAX)
        .filter(|&number| set.contains(number))
        .map(|number| signal(number.into()).trim_start_matches("SIG").to_string())
        .collect();
    format!("{sign}[{}]", names.join(" "))
}

fn time(address: usize) -> String {
    match user::read_struct::<TimeSpec>(address) {
        Ok(time) => format!("{{tv_sec={}, tv_nsec={}}}", time.tv_sec, time.tv_nsec),
        Err(_) => Address(address).to_string(),
    }
}
