//! execveat(2): the process becomes another program, found from a directory or a descriptor.

use linux_abi::{
    Errno,
    constants::{AT_EMPTY_PATH, AT_SYMLINK_NOFOLLOW},
};

use crate::{Call, Result, files, process::execve, user};

/// See execve.
pub fn execveat(call: &mut Call) -> Result {
    let flags = call.unsigned(4);
    if flags & !(AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW) != 0 {
        return Err(Errno::EINVAL);
    }
    let path = user::read_path(call.argument(1))?;
    let path = files::absolute_program_path(call.int(0), &path, flags)?;
    execve::execute(call, path, 2)
}
