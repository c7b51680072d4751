//! Becoming another program.

use alloc::vec::Vec;

use linux_abi::{
    Errno,
    constants::{AT_EMPTY_PATH, AT_SYMLINK_NOFOLLOW},
};

use crate::{
    Call, Result,
    objects::{
        files::{self, ProgramFile},
        process::Strings,
        program::{self, Wish},
        text, user,
    },
};

/// Longest single string (MAX_ARG_STRLEN).
const MAX_STRING: usize = 128 << 10;
/// Most bytes of all strings: a quarter of the stack.
const MAX_TOTAL: usize = 2 << 20;

/// execve(2): the process becomes another program.
///
/// Comes back only with an error, and then nothing has changed.
pub fn execve(call: &mut Call) -> Result {
    let path = user::read_path(call.argument(0))?;
    if path.is_empty() {
        return Err(Errno::ENOENT);
    }
    execute(call, path, None, 1)
}

/// The rest of execve and execveat: argument `first` is the arguments' array, behind it the environment's.
pub fn execute(call: &mut Call, path: Vec<u8>, file: Option<ProgramFile>, first: usize) -> Result {
    let mut room = MAX_TOTAL;
    let arguments = strings(call.argument(first), &mut room)?;
    let environment = strings(call.argument(first + 1), &mut room)?;
    let first = program::replace(&mut Wish { path, file, arguments, environment })?;
    *call = Call::new(first.entry, first.stack);
    // A new program finds zero in RAX.
    Ok(0)
}

/// Reads a NULL-terminated array of strings; a NULL array is empty, as on Linux.
fn strings(address: usize, room: &mut usize) -> core::result::Result<Strings, Errno> {
    let mut strings = Strings::new();
    if address == 0 {
        return Ok(strings);
    }
    loop {
        let slot = address.checked_add(strings.count() * user::POINTER).ok_or(Errno::EFAULT)?;
        let pointer = user::read_word(slot)?;
        if pointer == 0 {
            return Ok(strings);
        }
        let string = user::read_string(pointer, MAX_STRING, Errno::E2BIG)?;
        *room = room.checked_sub(string.len() + 1 + user::POINTER).ok_or(Errno::E2BIG)?;
        strings.push(&string);
    }
}

/// execveat(2): the process becomes another program, found from a directory or a descriptor.
///
/// See execve.
pub fn execveat(call: &mut Call) -> Result {
    let flags = call.unsigned(4);
    if flags & !(AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW) != 0 {
        return Err(Errno::EINVAL);
    }
    let (directory, path) = (call.int(0), user::read_path(call.argument(1))?);
    if path.is_empty() && flags & AT_EMPTY_PATH != 0 {
        let file = files::open_program(directory)?;
        // What a script's interpreter can open.
        let mut path = Vec::new();
        text::fill(&mut path, "/dev/fd/#", &[directory as u64]);
        return execute(call, path, Some(file), 2);
    }
    let path = files::absolute_program_path(directory, &path, flags)?;
    execute(call, path, None, 2)
}
