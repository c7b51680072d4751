//! posix_fadvise(2).

use linux_abi::Errno;
use vfs::Seeking;

use crate::{Call, Result, objects::files};

/// The largest advice, POSIX_FADV_NOREUSE.
const LAST_ADVICE: i32 = 5;

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
