//! preadv2(2).

use linux_abi::{
    Errno,
    constants::{RWF_HIPRI, RWF_NOWAIT},
};

use crate::{
    Call, Result,
    file::range,
    files::{self, vectors},
};

/// As preadv, or at the position for offset -1. Files of this machine never wait, so RWF_NOWAIT changes nothing.
pub fn preadv2(call: &mut Call) -> Result {
    files::using(call, |call, description| {
        if call.unsigned(5) & !(RWF_HIPRI | RWF_NOWAIT) != 0 {
            return Err(Errno::EOPNOTSUPP);
        }
        let offset = range::offset_or_position(call.argument(3))?;
        vectors::fill(call, description, offset)
    })
}
