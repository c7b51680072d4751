//! fallocate(2).

use crate::objects::errors;
use linux_abi::{
    Errno,
    constants::{FALLOC_FL_KEEP_SIZE, FALLOC_FL_PUNCH_HOLE, FALLOC_FL_ZERO_RANGE},
};
use vfs::{Kind, watch::MODIFIED};

use super::range;
use crate::{Call, Result, objects::files};

/// Lengthens a file, or makes holes in it. Memory is taken when it is written, so nothing is set aside.
pub fn fallocate(call: &mut Call) -> Result {
    files::using(call, |call, description| {
        let mode = call.unsigned(1);
        let offset = range::offset(call.argument(2))?;
        let length = range::offset(call.argument(3))?;
        if length == 0 {
            return Err(Errno::EINVAL);
        }
        let end = offset.checked_add(length).filter(|&end| end <= i64::MAX as u64).ok_or(Errno::EFBIG)?;
        description.check_writable()?;
        match description.kind {
            Kind::Regular => {}
            Kind::Pipe => return Err(Errno::ESPIPE),
            Kind::Directory => return Err(Errno::EISDIR),
            _ => return Err(Errno::ENODEV),
        }
        let node = &description.node;
        if mode & FALLOC_FL_KEEP_SIZE == 0 {
            files::longest::check(&**node, end)?;
        }
        files::set_id::drop_bits(&**node, description.kind)?;
        const HOLE: u32 = FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE;
        match mode & !FALLOC_FL_KEEP_SIZE {
            0 => {}
            FALLOC_FL_PUNCH_HOLE if mode == HOLE => node.erase(offset, length).map_err(errors::errno)?,
            FALLOC_FL_ZERO_RANGE => node.erase(offset, length).map_err(errors::errno)?,
            _ => return Err(Errno::EOPNOTSUPP),
        }
        if mode & FALLOC_FL_KEEP_SIZE == 0 && node.metadata().size < end {
            node.set_length(end).map_err(errors::errno)?;
        }
        description.tell(MODIFIED);
        Ok(0)
    })
}
