//! How long a file is.

use linux_abi::{
    Errno,
    constants::{AT_FDCWD, FALLOC_FL_KEEP_SIZE, FALLOC_FL_PUNCH_HOLE, FALLOC_FL_ZERO_RANGE},
};
use vfs::{Kind, Rights, watch::MODIFIED};

use super::advice;
use crate::{
    Call, Result,
    objects::{
        errors,
        files::{self, changing},
    },
};

/// truncate(2): cuts or lengthens the file at a path.
pub fn truncate(call: &mut Call) -> Result {
    let length = advice::offset(call.argument(1))?;
    changing::change_at(AT_FDCWD, call.argument(0), 0, MODIFIED, &mut |node| {
        match node.kind() {
            Kind::Regular => {}
            Kind::Directory => return Err(Errno::EISDIR),
            _ => return Err(Errno::EINVAL),
        }
        files::credentials().check(&node.metadata(), Rights::WRITE).map_err(errors::errno)?;
        files::check_change(node)?;
        files::longest::check(&**node, length)?;
        files::set_id::see(node.metadata().mode);
        files::set_id::drop_bits(&**node, Kind::Regular)?;
        files::done(node.set_length(length))
    })
}

/// ftruncate(2): cuts or lengthens an open file.
pub fn ftruncate(call: &mut Call) -> Result {
    advice::offset(call.argument(1))?;
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

/// fallocate(2): lengthens a file, or makes holes in it. Memory is taken when it is written, so nothing is set aside.
pub fn fallocate(call: &mut Call) -> Result {
    files::using(call, |call, description| {
        let mode = call.unsigned(1);
        let offset = advice::offset(call.argument(2))?;
        let length = advice::offset(call.argument(3))?;
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
