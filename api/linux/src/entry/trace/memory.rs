//! The memory that a record takes along. What cannot be read is left out; the command then shows its address.

use alloc::vec::Vec;

use linux_abi::{Errno, UserAddress, UserPath, constants::PATH_MAX};
use trace::{Call, MAX_LIST, MAX_STRINGS, Memory, SHOWN};

use crate::objects::{process::Strings, user};

/// Most strings of an environment that are counted.
const MAX_COUNTED: usize = 4096;

/// Adds what argument `index` points at before the call is answered.
pub fn before(memory: Memory, arguments: &[usize; 6], index: usize, call: &mut Call) {
    let address = arguments[index];
    match memory {
        Memory::None | Memory::Output => {}
        Memory::Text => {
            if let Ok(path) = user::read_path(UserPath(address)) {
                call.add(index, &path, false);
            }
        }
        Memory::Input => buffer(index, address, arguments[(index + 1) % arguments.len()], call),
        Memory::Texts => {
            if let Some((strings, more)) = strings(address) {
                list(index, &strings, more, call);
            }
        }
        Memory::Count => {
            if let Some((pointers, more)) = pointers(address, MAX_COUNTED) {
                count(index, pointers.len(), more, call);
            }
        }
        Memory::Set => plain::<8>(index, address, call),
        Memory::Time => plain::<16>(index, address, call),
    }
}

/// Adds the buffer that the call has filled.
pub fn behind(memory: Memory, arguments: &[usize; 6], index: usize, result: i64, call: &mut Call) {
    if memory == Memory::Output
        && let Ok(length) = usize::try_from(result)
    {
        buffer(index, arguments[index], length, call);
    }
}

/// The first bytes of a buffer.
fn buffer(index: usize, address: usize, length: usize, call: &mut Call) {
    let mut bytes = [0; SHOWN];
    let shown = &mut bytes[..length.min(SHOWN)];
    if address != 0 && user::copy_in(shown, UserAddress(address)).is_ok() {
        call.add(index, shown, length > SHOWN);
    }
}

fn plain<const LENGTH: usize>(index: usize, address: usize, call: &mut Call) {
    let mut bytes = [0; LENGTH];
    if user::copy_in(&mut bytes, UserAddress(address)).is_ok() {
        call.add(index, &bytes, false);
    }
}

/// The pointers of an array up to its NULL, at most `limit`, and whether there are more.
fn pointers(address: usize, limit: usize) -> Option<(Vec<usize>, bool)> {
    let mut pointers = Vec::new();
    loop {
        let slot = address.checked_add(pointers.len() * user::POINTER)?;
        match user::read_word(UserAddress(slot)).ok()? {
            0 => return Some((pointers, false)),
            _ if pointers.len() == limit => return Some((pointers, true)),
            pointer => pointers.push(pointer),
        }
    }
}

/// The strings of an array, and whether there are more.
fn strings(address: usize) -> Option<(Strings, bool)> {
    let (pointers, more) = pointers(address, MAX_STRINGS)?;
    let mut strings = Strings::new();
    for pointer in pointers {
        strings.push(&user::read_string(UserPath(pointer), PATH_MAX as usize, Errno::E2BIG).ok()?);
    }
    Some((strings, more))
}

/// Adds strings, as many as a record takes.
pub fn list(index: usize, strings: &Strings, more: bool, call: &mut Call) {
    let bytes = strings.bytes();
    let (mut shown, mut taken) = (0, 0);
    for (place, _) in bytes.iter().enumerate().filter(|(_, byte)| **byte == 0) {
        if taken == MAX_STRINGS || place >= MAX_LIST {
            break;
        }
        (shown, taken) = (place + 1, taken + 1);
    }
    call.add(index, &bytes[..shown], more || taken < strings.count());
}

/// Adds how many strings there are.
pub fn count(index: usize, strings: usize, more: bool, call: &mut Call) {
    call.add(index, &(strings as u32).to_le_bytes(), more);
}
