//! execveat(2): the process becomes another program, found from a directory or a descriptor.

use alloc::vec::Vec;

use linux_abi::{
    Errno,
    constants::{AT_EMPTY_PATH, AT_SYMLINK_NOFOLLOW},
};

use super::execve;
use crate::{
    Call, Result,
    objects::{files, text, user},
};

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
        return execve::execute(call, path, Some(file), 2);
    }
    let path = files::absolute_program_path(directory, &path, flags)?;
    execve::execute(call, path, None, 2)
}
