//! Closing descriptors.

use alloc::sync::Arc;

use linux_abi::{Errno, FileDescriptor, constants::CloseRangeFlags};
use vfs::Kind;

use crate::{
    Result,
    objects::{ability, files, process::apart, sockets},
};

/// close(2): gives a descriptor back.
pub fn close(descriptor: FileDescriptor) -> Result {
    // Dropped when the table is no longer locked: the last user of a pipe's end closes it here.
    let closed = crate::objects::process::descriptors_in_line().remove_in_line(descriptor.0)?;
    let is_socket = ability::sockets() && closed.description.kind == Kind::Socket;
    if is_socket && Arc::strong_count(&closed.description) == 1 {
        sockets::linger(&closed.description);
    }
    files::locking::closed(closed);
    Ok(0)
}

/// close_range(2): closes all descriptors from the first to the last named, or marks them to be closed by execve.
pub fn close_range(first: u32, last: u32, flags: CloseRangeFlags) -> Result {
    if first > last || !CloseRangeFlags::NAMED.contains(flags) {
        return Err(Errno::EINVAL);
    }
    if flags.contains(CloseRangeFlags::CLOSE_RANGE_UNSHARE) {
        apart::unshare_files();
    }
    let mut least = first as usize;
    loop {
        let mut files = crate::objects::process::descriptors();
        let Some(number) = files.next(least).filter(|&number| number <= last as usize) else { return Ok(0) };
        if flags.contains(CloseRangeFlags::CLOSE_RANGE_CLOEXEC) {
            files.set_close_on_exec(number as i32, true)?;
        } else {
            // Dropped when the table is no longer locked: the last user of a pipe's end closes it here.
            let closed = files.remove(number as i32);
            drop(files);
            files::locking::closed(closed?);
        }
        least = number + 1;
    }
}
