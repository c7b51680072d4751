//! What is to be read soon, or not again.

use linux_abi::{Errno, FileDescriptor};
use vfs::Kind;

use crate::{Result, objects::files};

/// The largest advice, POSIX_FADV_NOREUSE.
const LAST_ADVICE: i32 = 5;

/// posix_fadvise(2).
///
/// Checks and does nothing: contents are in memory.
pub fn fadvise64(descriptor: FileDescriptor, _offset: i64, length: i64, advice: i32) -> Result {
    let description = &files::usable(descriptor)?;
    if description.kind == Kind::Pipe {
        return Err(Errno::ESPIPE);
    }
    if length < 0 || !(0..=LAST_ADVICE).contains(&advice) {
        return Err(Errno::EINVAL);
    }
    Ok(0)
}

/// readahead(2): contents are in memory already.
pub fn readahead(descriptor: FileDescriptor, _offset: i64, _count: usize) -> Result {
    let description = &files::usable(descriptor)?;
    description.check_readable()?;
    if description.kind == Kind::Regular { Ok(0) } else { Err(Errno::EINVAL) }
}

/// An offset: EINVAL if negative.
pub fn offset(argument: i64) -> core::result::Result<u64, Errno> {
    u64::try_from(argument).map_err(|_| Errno::EINVAL)
}

/// The position of preadv2(2) and pwritev2(2); `None` for -1, which means the file's own.
pub fn offset_or_position(argument: i64) -> core::result::Result<Option<u64>, Errno> {
    if argument == -1 { Ok(None) } else { offset(argument).map(Some) }
}
