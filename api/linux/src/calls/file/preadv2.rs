//! preadv2(2).

use linux_abi::{
    Errno,
    constants::{RWF_APPEND, RWF_DSYNC, RWF_HIPRI, RWF_NOWAIT, RWF_SYNC},
};

use super::range;
use crate::{
    Call, Result,
    objects::files::{self, vectors},
};

/// As preadv, or at the position for offset -1. Files of this machine never wait, so RWF_NOWAIT changes nothing; what is
/// said about writing means nothing.
pub fn preadv2(call: &mut Call) -> Result {
    files::using(call, |call, description| {
        if call.unsigned(5) & !(RWF_HIPRI | RWF_NOWAIT | RWF_DSYNC | RWF_SYNC | RWF_APPEND) != 0 {
            return Err(Errno::EOPNOTSUPP);
        }
        if call.unsigned(5) & RWF_NOWAIT != 0 && !description.is_seekable() && !description.node.readiness().readable {
            return Err(Errno::EAGAIN);
        }
        let offset = range::offset_or_position(call.argument(3))?;
        vectors::fill(call, description, offset)
    })
}
