//! What is to be read soon, or not again.

use linux_abi::Errno;
use vfs::{Kind, Seeking};

use crate::{Call, Result, objects::files};

/// The largest advice, POSIX_FADV_NOREUSE.
const LAST_ADVICE: i32 = 5;

/// posix_fadvise(2).
///
/// Checks and does nothing: contents are in memory.
pub fn fadvise64(call: &mut Call) -> Result {
    files::using(call, |call, description| {
        if description.seeking == Seeking::Stream {
            return Err(Errno::ESPIPE);
        }
        if (call.argument(2) as i64) < 0 || !(0..=LAST_ADVICE).contains(&call.int(3)) {
            return Err(Errno::EINVAL);
        }
        Ok(0)
    })
}

/// readahead(2): contents are in memory already.
pub fn readahead(call: &mut Call) -> Result {
    files::using(call, |_, description| {
        description.check_readable()?;
        if description.kind == Kind::Regular { Ok(0) } else { Err(Errno::EINVAL) }
    })
}

/// An offset: EINVAL if negative.
pub fn offset(argument: usize) -> core::result::Result<u64, Errno> {
    let signed = argument as i64;
    u64::try_from(signed).map_err(|_| Errno::EINVAL)
}

/// The position of preadv2(2) and pwritev2(2); `None` for -1, which means the file's own.
pub fn offset_or_position(argument: usize) -> core::result::Result<Option<u64>, Errno> {
    if argument as i64 == -1 { Ok(None) } else { offset(argument).map(Some) }
}
