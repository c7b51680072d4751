//! pwritev2(2).

use linux_abi::{
    Errno,
    constants::{RWF_DSYNC, RWF_HIPRI, RWF_SYNC},
};

use crate::{
    Call, Result,
    file::range,
    files::{self, vectors},
};

/// As pwritev, or at the position for offset -1. Contents live in memory, so the sync flags change nothing.
pub fn pwritev2(call: &mut Call) -> Result {
    files::using(call, |call, description| {
        if call.unsigned(5) & !(RWF_HIPRI | RWF_DSYNC | RWF_SYNC) != 0 {
            return Err(Errno::EOPNOTSUPP);
        }
        let offset = range::offset_or_position(call.argument(3))?;
        vectors::drain(call, description, offset)
    })
}
