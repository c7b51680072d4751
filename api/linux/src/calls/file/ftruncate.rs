//! ftruncate(2).

use crate::objects::errors;
use linux_abi::Errno;
use vfs::{Kind, watch::MODIFIED};

use super::range;
use crate::{Call, Result, objects::files};

/// Cuts or lengthens an open file.
pub fn ftruncate(call: &mut Call) -> Result {
    range::offset(call.argument(1))?;
    files::using(call, |call, description| {
        if description.kind != Kind::Regular || description.check_writable().is_err() {
            return Err(Errno::EINVAL);
        }
        files::longest::check(&*description.node, call.argument(1) as u64)?;
        files::set_id::drop_bits(&*description.node, description.kind)?;
        description.node.set_length(call.argument(1) as u64).map_err(errors::errno)?;
        description.tell(MODIFIED);
        Ok(0)
    })
}
