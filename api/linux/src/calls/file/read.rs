//! Reading: at the position or at an offset, into one or several places.

use linux_abi::{Errno, FileDescriptor, UserAddress, UserOutput, constants::ReadWriteFlags};
use vfs::Readiness;

use super::advice;
use crate::{
    Result,
    objects::{
        ability,
        descriptors::Description,
        files::{
            self, MOST, UserSink,
            short::{self, Short},
            vectors,
        },
        user,
    },
};

/// read(2): reads at the position, waiting for a stream's first byte.
pub fn read(descriptor: FileDescriptor, buffer: UserOutput, count: usize) -> Result {
    if !ability::short_ways() {
        return general(&*files::usable(descriptor)?, buffer, count);
    }
    match short::read(descriptor, buffer, count)? {
        Short::Moved(count) => Ok(count),
        Short::Left(description) => general(&*files::not_a_path(description)?, buffer, count),
    }
}

#[cold]
fn general(description: &Description, buffer: UserOutput, count: usize) -> Result {
    user::check_buffer(buffer.into(), count)?;
    description.read(&mut UserSink::new(buffer, count.min(MOST)))
}

/// readv(2): as read, into scattered memory.
pub fn readv(descriptor: FileDescriptor, vectors: UserAddress, count: usize) -> Result {
    let description = &files::usable(descriptor)?;
    vectors::fill((vectors, count), description, None)
}

/// pread(2).
///
/// Reads at an offset and leaves the position alone.
pub fn pread64(descriptor: FileDescriptor, buffer: UserOutput, count: usize, offset: i64) -> Result {
    advice::offset(offset)?;
    if !ability::short_ways() {
        return general_at(&*files::usable(descriptor)?, buffer, count, offset);
    }
    match short::read_at(descriptor, buffer, count, offset as u64)? {
        Short::Moved(count) => Ok(count),
        Short::Left(description) => general_at(&*files::not_a_path(description)?, buffer, count, offset),
    }
}

#[cold]
fn general_at(description: &Description, buffer: UserOutput, count: usize, offset: i64) -> Result {
    user::check_buffer(buffer.into(), count)?;
    description.read_at(&mut UserSink::new(buffer, count.min(MOST)), offset as u64)
}

/// preadv(2): as pread, into scattered memory.
pub fn preadv(descriptor: FileDescriptor, vectors: UserAddress, count: usize, offset: i64) -> Result {
    let description = &files::usable(descriptor)?;
    let offset = advice::offset(offset)?;
    vectors::fill((vectors, count), description, Some(offset))
}

/// preadv2(2): as preadv, or at the position for offset -1.
///
/// RWF_NOWAIT asks a stream whether it is ready. A file of a share or a disk may be waited for all the same: which of
/// its pages are in memory is not asked. What is said about writing means nothing.
pub fn preadv2(
    descriptor: FileDescriptor,
    vectors: UserAddress,
    count: usize,
    offset: i64,
    _high: usize,
    flags: ReadWriteFlags,
) -> Result {
    let description = &files::usable(descriptor)?;
    if !ReadWriteFlags::NAMED.contains(flags) {
        return Err(Errno::EOPNOTSUPP);
    }
    if flags.contains(ReadWriteFlags::RWF_NOWAIT)
        && !description.is_seekable()
        && !description.node.readiness().contains(Readiness::READABLE)
    {
        return Err(Errno::EAGAIN);
    }
    let offset = advice::offset_or_position(offset)?;
    vectors::fill((vectors, count), description, offset)
}
