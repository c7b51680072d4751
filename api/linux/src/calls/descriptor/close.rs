//! Closing descriptors.

use linux_abi::{
    Errno,
    constants::{CLOSE_RANGE_CLOEXEC, CLOSE_RANGE_UNSHARE},
};

use crate::{
    Call, Result,
    objects::{files, process::apart},
};

/// close(2): gives a descriptor back.
pub fn close(call: &mut Call) -> Result {
    // Dropped when the table is no longer locked: the last user of a pipe's end closes it here.
    let closed = crate::objects::process::descriptors().remove(call.int(0))?;
    files::locking::closed(closed);
    Ok(0)
}

/// close_range(2): closes all descriptors from the first to the last named, or marks them to be closed by execve.
pub fn close_range(call: &mut Call) -> Result {
    let (first, last, flags) = (call.unsigned(0), call.unsigned(1), call.unsigned(2));
    if first > last || flags & !(CLOSE_RANGE_UNSHARE | CLOSE_RANGE_CLOEXEC) != 0 {
        return Err(Errno::EINVAL);
    }
    if flags & CLOSE_RANGE_UNSHARE != 0 {
        apart::unshare_files();
    }
    let mut least = first as usize;
    loop {
        let mut files = crate::objects::process::descriptors();
        let Some(number) = files.next(least).filter(|&number| number <= last as usize) else { return Ok(0) };
        if flags & CLOSE_RANGE_CLOEXEC != 0 {
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
