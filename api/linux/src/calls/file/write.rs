//! Writing: at the position or at an offset, from one or several places.

use linux_abi::{Errno, FileDescriptor, UserAddress, UserInput, constants::ReadWriteFlags};

use super::advice;
use crate::{
    Result,
    objects::{
        ability,
        descriptors::Description,
        files::{
            self, MOST, UserSource,
            short::{self, Short},
            vectors,
        },
        user,
    },
};

/// write(2): writes at the position, or behind the end with O_APPEND.
pub fn write(descriptor: FileDescriptor, buffer: UserInput, count: usize) -> Result {
    if !ability::short_ways() {
        return general(&*files::usable(descriptor)?, buffer, count);
    }
    match short::write(descriptor, buffer, count)? {
        Short::Moved(count) => Ok(count),
        Short::Left(description) => general(&*files::not_a_path(description)?, buffer, count),
    }
}

#[cold]
fn general(description: &Description, buffer: UserInput, count: usize) -> Result {
    user::check_buffer(buffer.into(), count)?;
    description.write(&mut UserSource::new(buffer, count.min(MOST)))
}

/// writev(2): as write, from scattered memory.
pub fn writev(descriptor: FileDescriptor, vectors: UserAddress, count: usize) -> Result {
    let description = &files::usable(descriptor)?;
    vectors::drain((vectors, count), description, None)
}

/// pwrite(2).
///
/// Writes at an offset and leaves the position alone.
pub fn pwrite64(descriptor: FileDescriptor, buffer: UserInput, count: usize, offset: i64) -> Result {
    advice::offset(offset)?;
    if !ability::short_ways() {
        return general_at(&*files::usable(descriptor)?, buffer, count, offset);
    }
    match short::write_at(descriptor, buffer, count, offset as u64)? {
        Short::Moved(count) => Ok(count),
        Short::Left(description) => general_at(&*files::not_a_path(description)?, buffer, count, offset),
    }
}

#[cold]
fn general_at(description: &Description, buffer: UserInput, count: usize, offset: i64) -> Result {
    user::check_buffer(buffer.into(), count)?;
    description.write_at(&mut UserSource::new(buffer, count.min(MOST)), offset as u64)
}

/// pwritev(2): as pwrite, from scattered memory.
pub fn pwritev(descriptor: FileDescriptor, vectors: UserAddress, count: usize, offset: i64) -> Result {
    let description = &files::usable(descriptor)?;
    let offset = advice::offset(offset)?;
    vectors::drain((vectors, count), description, Some(offset))
}

/// pwritev2(2): as pwritev, or at the position for offset -1, or behind the end, or until it is where it stays.
pub fn pwritev2(
    descriptor: FileDescriptor,
    vectors: UserAddress,
    count: usize,
    offset: i64,
    _high: usize,
    flags: ReadWriteFlags,
) -> Result {
    let description = &files::usable(descriptor)?;
    if !(ReadWriteFlags::RWF_HIPRI | ReadWriteFlags::RWF_DSYNC | ReadWriteFlags::RWF_SYNC | ReadWriteFlags::RWF_APPEND)
        .contains(flags)
    {
        return Err(Errno::EOPNOTSUPP);
    }
    let mut offset = advice::offset_or_position(offset)?;
    let appends = flags.contains(ReadWriteFlags::RWF_APPEND) && description.is_seekable();
    if appends {
        let end = description.node.metadata().size;
        if offset.is_none() {
            description.position.lock().offset = end;
        } else {
            offset = Some(end);
        }
    }
    let written = vectors::drain((vectors, count), description, offset)?;
    if flags.intersects(ReadWriteFlags::RWF_DSYNC | ReadWriteFlags::RWF_SYNC) && description.is_seekable() {
        files::done(description.node.sync(flags.contains(ReadWriteFlags::RWF_SYNC)))?;
    }
    Ok(written)
}
