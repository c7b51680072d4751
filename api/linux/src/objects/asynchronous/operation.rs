//! What one request asks for, done.

use alloc::sync::Arc;

use linux_abi::{
    Errno, FileDescriptor, UserAddress,
    constants::{
        IOCB_CMD_FDSYNC, IOCB_CMD_FSYNC, IOCB_CMD_POLL, IOCB_CMD_PREAD, IOCB_CMD_PREADV, IOCB_CMD_PWRITE,
        IOCB_CMD_PWRITEV, IOCB_FLAG_IOPRIO, IOCB_FLAG_RESFD, OpenFlags, ReadWriteFlags,
    },
    structures::{IoControl, IoEvent, IoVector},
};
use smallvec::smallvec;

use super::{Context, context};
use crate::{
    Result,
    objects::{
        descriptors::Description,
        files::{self, MOST, vectors},
        scheduling::io_priority,
    },
};

/// Does the request that stands at `address`. An error is one of asking; what the operation itself comes to, its event
/// says.
pub fn submit(context: &Context, address: u64, request: &IoControl) -> Result {
    let sized = request.aio_nbytes <= isize::MAX as u64;
    if request.aio_reserved2 != 0 || !sized || request.aio_flags & !(IOCB_FLAG_RESFD | IOCB_FLAG_IOPRIO) != 0 {
        return Err(Errno::EINVAL);
    }
    context.check_room()?;
    let description = files::usable(FileDescriptor(request.aio_fildes as i32))?;
    let tells = request.aio_flags & IOCB_FLAG_RESFD != 0;
    let teller = if tells { Some(context::teller(request.aio_resfd)?) } else { None };
    if request.aio_flags & IOCB_FLAG_IOPRIO != 0 {
        io_priority::check(request.aio_reqprio as u16 as u32)?;
    }
    let event = IoEvent { data: request.aio_data, obj: address, ..IoEvent::default() };
    if request.aio_lio_opcode == IOCB_CMD_POLL {
        if request.aio_buf > u64::from(u16::MAX) || !is_bare(request) {
            return Err(Errno::EINVAL);
        }
        return context.poll(request, event, &description, teller).map(|()| 0);
    }
    let result = match perform(request, &description)? {
        Ok(count) => count as i64,
        Err(errno) if errno.is_restart() => Errno::EINTR.answer() as i64,
        Err(errno) => errno.answer() as i64,
    };
    context.finish(IoEvent { res: result, ..event }, teller.as_ref());
    Ok(0)
}

/// Whether nothing is said that the operation has no use for.
pub const fn is_bare(request: &IoControl) -> bool {
    request.aio_nbytes == 0 && request.aio_offset == 0 && request.aio_rw_flags == 0
}

/// The outer error is one of asking.
pub fn perform(request: &IoControl, description: &Arc<Description>) -> core::result::Result<Result, Errno> {
    let (address, count) = (request.aio_buf as usize, request.aio_nbytes as usize);
    let one = || {
        crate::objects::user::check_buffer(UserAddress(address), count)?;
        Ok(smallvec![IoVector { iov_base: request.aio_buf, iov_len: count.min(MOST) as u64 }])
    };
    match request.aio_lio_opcode {
        IOCB_CMD_FSYNC | IOCB_CMD_FDSYNC => {
            if address != 0 || !is_bare(request) || !description.is_seekable() {
                return Err(Errno::EINVAL);
            }
            Ok(files::done(description.node.sync(request.aio_lio_opcode == IOCB_CMD_FSYNC)))
        }
        IOCB_CMD_PREAD | IOCB_CMD_PREADV => {
            description.check_readable()?;
            let offset = offset(request, description)?;
            let many = request.aio_lio_opcode == IOCB_CMD_PREADV;
            let pieces = if many { vectors::pieces((UserAddress(address), count))? } else { one()? };
            Ok(vectors::fill_pieces(pieces, description, offset))
        }
        IOCB_CMD_PWRITE | IOCB_CMD_PWRITEV => {
            description.check_writable()?;
            let offset = offset(request, description)?;
            let many = request.aio_lio_opcode == IOCB_CMD_PWRITEV;
            let pieces = if many { vectors::pieces((UserAddress(address), count))? } else { one()? };
            Ok(vectors::drain_pieces(pieces, description, offset)
                .and_then(|written| settle(request, description, written)))
        }
        _ => Err(Errno::EINVAL),
    }
}

/// Where it reads or writes; `None` for what has no positions.
pub fn offset(request: &IoControl, description: &Description) -> core::result::Result<Option<u64>, Errno> {
    let flags = ReadWriteFlags::from_bits_retain(request.aio_rw_flags);
    let known =
        ReadWriteFlags::RWF_HIPRI | ReadWriteFlags::RWF_DSYNC | ReadWriteFlags::RWF_SYNC | ReadWriteFlags::RWF_APPEND;
    if !known.contains(flags) {
        return Err(Errno::EOPNOTSUPP);
    }
    if !description.is_seekable() {
        return Ok(None);
    }
    let appends = flags.contains(ReadWriteFlags::RWF_APPEND) && !description.flags().contains(OpenFlags::O_APPEND);
    if appends {
        return Ok(Some(description.node.metadata().size));
    }
    u64::try_from(request.aio_offset).map(Some).map_err(|_| Errno::EINVAL)
}

/// What was written lasts, if that is asked for.
pub fn settle(request: &IoControl, description: &Description, written: usize) -> Result {
    let flags = ReadWriteFlags::from_bits_retain(request.aio_rw_flags);
    if flags.intersects(ReadWriteFlags::RWF_DSYNC | ReadWriteFlags::RWF_SYNC) && description.is_seekable() {
        files::done(description.node.sync(flags.contains(ReadWriteFlags::RWF_SYNC)))?;
    }
    Ok(written)
}
