//! How long a file is.

use linux_abi::{
    Directory, Errno, FileDescriptor, UserPath,
    constants::{AtFlags, FallocateFlags},
};
use vfs::{Kind, Rights};
use watches::MODIFIED;

use super::advice;
use crate::{
    Result,
    objects::{
        errors,
        files::{self, changing},
    },
};

/// truncate(2): cuts or lengthens the file at a path.
pub fn truncate(path: UserPath, length: i64) -> Result {
    let length = advice::offset(length)?;
    changing::change_at(Directory::WORKING, path, AtFlags::empty(), MODIFIED, &mut |node| {
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
pub fn ftruncate(descriptor: FileDescriptor, length: i64) -> Result {
    advice::offset(length)?;
    let description = &files::usable(descriptor)?;
    if description.kind != Kind::Regular || description.check_writable().is_err() {
        return Err(Errno::EINVAL);
    }
    files::longest::check(&*description.node, length as u64)?;
    files::set_id::drop_bits(&*description.node, description.kind)?;
    description.node.set_length(length as u64).map_err(errors::errno)?;
    description.tell(MODIFIED);
    Ok(0)
}

/// fallocate(2): lengthens a file, or makes holes in it. Memory is taken when it is written, so nothing is set aside.
pub fn fallocate(descriptor: FileDescriptor, flags: FallocateFlags, offset: i64, length: i64) -> Result {
    let description = &files::usable(descriptor)?;
    let offset = advice::offset(offset)?;
    let length = advice::offset(length)?;
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
    if !flags.contains(FallocateFlags::FALLOC_FL_KEEP_SIZE) {
        files::longest::check(&**node, end)?;
    }
    files::set_id::drop_bits(&**node, description.kind)?;
    const HOLE: FallocateFlags = FallocateFlags::FALLOC_FL_PUNCH_HOLE.union(FallocateFlags::FALLOC_FL_KEEP_SIZE);
    match flags - FallocateFlags::FALLOC_FL_KEEP_SIZE {
        rest if rest.is_empty() => {}
        FallocateFlags::FALLOC_FL_PUNCH_HOLE if flags == HOLE => node.erase(offset, length).map_err(errors::errno)?,
        FallocateFlags::FALLOC_FL_ZERO_RANGE => node.erase(offset, length).map_err(errors::errno)?,
        _ => return Err(Errno::EOPNOTSUPP),
    }
    if !flags.contains(FallocateFlags::FALLOC_FL_KEEP_SIZE) && node.metadata().size < end {
        node.set_length(end).map_err(errors::errno)?;
    }
    description.tell(MODIFIED);
    Ok(0)
}
