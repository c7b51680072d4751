//! Becoming another program.

use alloc::vec::Vec;

use linux_abi::{Directory, Errno, UserAddress, UserPath, UserStrings, constants::AtFlags};

use crate::{
    Result,
    objects::{
        files::{self, ProgramFile},
        process::Strings,
        program::{self, Wish},
        text, user,
    },
};
use kernel::task;
use machine::Context;

/// Longest single string (MAX_ARG_STRLEN).
const MAX_STRING: usize = 128 << 10;
/// Most bytes of all strings: a quarter of the stack.
const MAX_TOTAL: usize = 2 << 20;

/// execve(2): the process becomes another program.
///
/// Comes back only with an error, and then nothing has changed.
pub fn execve(path: UserPath, arguments: UserStrings, environment: UserStrings) -> Result {
    let path = user::read_path(path)?;
    if path.is_empty() {
        return Err(Errno::ENOENT);
    }
    execute(path, None, arguments, environment)
}

/// The rest of execve and execveat.
fn execute(path: Vec<u8>, file: Option<ProgramFile>, arguments: UserStrings, environment: UserStrings) -> Result {
    let mut room = MAX_TOTAL;
    let arguments = strings(arguments, &mut room)?;
    let environment = strings(environment, &mut room)?;
    let first = program::replace(&mut Wish { path, file, arguments, environment })?;
    task::set_application_registers(&Context::new(first.entry, first.stack));
    // A new program finds zero in RAX.
    Ok(0)
}

/// Reads a NULL-terminated array of strings; a NULL array is empty, as on Linux.
fn strings(address: UserStrings, room: &mut usize) -> core::result::Result<Strings, Errno> {
    let mut strings = Strings::new();
    if address.is_null() {
        return Ok(strings);
    }
    loop {
        let slot = address.0.checked_add(strings.count() * user::POINTER).ok_or(Errno::EFAULT)?;
        let pointer = user::read_word(UserAddress(slot))?;
        if pointer == 0 {
            return Ok(strings);
        }
        let string = user::read_string(UserPath(pointer), MAX_STRING, Errno::E2BIG)?;
        *room = room.checked_sub(string.len() + 1 + user::POINTER).ok_or(Errno::E2BIG)?;
        strings.push(&string);
    }
}

/// execveat(2): the process becomes another program, found from a directory or a descriptor.
///
/// See execve.
pub fn execveat(
    directory: Directory,
    path: UserPath,
    arguments: UserStrings,
    environment: UserStrings,
    flags: AtFlags,
) -> Result {
    if !(AtFlags::AT_EMPTY_PATH | AtFlags::AT_SYMLINK_NOFOLLOW).contains(flags) {
        return Err(Errno::EINVAL);
    }
    let path = user::read_path(path)?;
    if path.is_empty() && flags.contains(AtFlags::AT_EMPTY_PATH) {
        let file = files::open_program(directory.descriptor())?;
        // What a script's interpreter can open.
        let mut path = Vec::new();
        text::fill(&mut path, "/dev/fd/#", &[directory.0 as u64]);
        return execute(path, Some(file), arguments, environment);
    }
    let path = files::absolute_program_path(directory, &path, flags)?;
    execute(path, None, arguments, environment)
}
