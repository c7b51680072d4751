//! Reading: at the position or at an offset, into one or several places.

use linux_abi::{
    Errno,
    constants::{RWF_APPEND, RWF_DSYNC, RWF_HIPRI, RWF_NOWAIT, RWF_SYNC},
};

use super::advice;
use crate::{
    Call, Result,
    objects::{
        files::{self, MOST, UserSink, vectors},
        user,
    },
};

/// read(2): reads at the position, waiting for a stream's first byte.
pub fn read(call: &mut Call) -> Result {
    let description = files::usable(call.int(0))?;
    user::check_buffer(call.argument(1), call.argument(2))?;
    description.read(&mut UserSink::new(call.argument(1), call.argument(2).min(MOST)))
}

/// readv(2): as read, into scattered memory.
pub fn readv(call: &mut Call) -> Result {
    files::using(call, |call, description| vectors::fill(call, description, None))
}

/// pread(2).
///
/// Reads at an offset and leaves the position alone.
pub fn pread64(call: &mut Call) -> Result {
    advice::offset(call.argument(3))?;
    files::using(call, |call, description| {
        user::check_buffer(call.argument(1), call.argument(2))?;
        let offset = call.argument(3) as u64;
        description.read_at(&mut UserSink::new(call.argument(1), call.argument(2).min(MOST)), offset)
    })
}

/// preadv(2): as pread, into scattered memory.
pub fn preadv(call: &mut Call) -> Result {
    files::using(call, |call, description| {
        let offset = advice::offset(call.argument(3))?;
        vectors::fill(call, description, Some(offset))
    })
}

/// preadv2(2): as preadv, or at the position for offset -1. Files of this machine never wait, so RWF_NOWAIT changes
/// nothing; what is said about writing means nothing.
pub fn preadv2(call: &mut Call) -> Result {
    files::using(call, |call, description| {
        if call.unsigned(5) & !(RWF_HIPRI | RWF_NOWAIT | RWF_DSYNC | RWF_SYNC | RWF_APPEND) != 0 {
            return Err(Errno::EOPNOTSUPP);
        }
        if call.unsigned(5) & RWF_NOWAIT != 0 && !description.is_seekable() && !description.node.readiness().readable {
            return Err(Errno::EAGAIN);
        }
        let offset = advice::offset_or_position(call.argument(3))?;
        vectors::fill(call, description, offset)
    })
}
