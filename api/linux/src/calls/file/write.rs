//! Writing: at the position or at an offset, from one or several places.

use linux_abi::{
    Errno,
    constants::{RWF_APPEND, RWF_DSYNC, RWF_HIPRI, RWF_SYNC},
};

use super::advice;
use crate::{
    Call, Result,
    objects::{
        files::{self, MOST, UserSource, vectors},
        user,
    },
};

/// write(2): writes at the position, or behind the end with O_APPEND.
pub fn write(call: &mut Call) -> Result {
    let description = files::usable(call.int(0))?;
    user::check_buffer(call.argument(1), call.argument(2))?;
    description.write(&mut UserSource::new(call.argument(1), call.argument(2).min(MOST)))
}

/// writev(2): as write, from scattered memory.
pub fn writev(call: &mut Call) -> Result {
    files::using(call, |call, description| vectors::drain(call, description, None))
}

/// pwrite(2).
///
/// Writes at an offset and leaves the position alone.
pub fn pwrite64(call: &mut Call) -> Result {
    advice::offset(call.argument(3))?;
    files::using(call, |call, description| {
        user::check_buffer(call.argument(1), call.argument(2))?;
        let offset = call.argument(3) as u64;
        description.write_at(&mut UserSource::new(call.argument(1), call.argument(2).min(MOST)), offset)
    })
}

/// pwritev(2): as pwrite, from scattered memory.
pub fn pwritev(call: &mut Call) -> Result {
    files::using(call, |call, description| {
        let offset = advice::offset(call.argument(3))?;
        vectors::drain(call, description, Some(offset))
    })
}

/// pwritev2(2): as pwritev, or at the position for offset -1, or behind the end, or until it is where it stays.
pub fn pwritev2(call: &mut Call) -> Result {
    files::using(call, |call, description| {
        let flags = call.unsigned(5);
        if flags & !(RWF_HIPRI | RWF_DSYNC | RWF_SYNC | RWF_APPEND) != 0 {
            return Err(Errno::EOPNOTSUPP);
        }
        let mut offset = advice::offset_or_position(call.argument(3))?;
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
