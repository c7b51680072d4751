//! pwritev2(2).

use linux_abi::{
    Errno,
    constants::{RWF_APPEND, RWF_DSYNC, RWF_HIPRI, RWF_SYNC},
};

use super::range;
use crate::{
    Call, Result,
    objects::files::{self, vectors},
};

/// As pwritev, or at the position for offset -1, or behind the end, or until it is where it stays.
pub fn pwritev2(call: &mut Call) -> Result {
    files::using(call, |call, description| {
        let flags = call.unsigned(5);
        if flags & !(RWF_HIPRI | RWF_DSYNC | RWF_SYNC | RWF_APPEND) != 0 {
            return Err(Errno::EOPNOTSUPP);
        }
        let mut offset = range::offset_or_position(call.argument(3))?;
        let appends = flags & RWF_APPEND != 0 && description.is_seekable();
        if appends {
            let end = description.node.metadata().size;
            if offset.is_none() {
                description.position.lock().offset = end;
            } else {
                offset = Some(end);
            }
        }
        let written = vectors::drain(call, description, offset)?;
        if flags & (RWF_DSYNC | RWF_SYNC) != 0 && description.is_seekable() {
            files::done(description.node.sync(flags & RWF_SYNC != 0))?;
        }
        Ok(written)
    })
}
