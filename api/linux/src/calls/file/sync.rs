//! Having written what lasts.

use kernel::memory::NotKept;
use linux_abi::{Errno, FileDescriptor, constants::SyncRangeFlags};
use vfs::{FileError, Kind};

use super::advice;
use crate::{
    Result,
    objects::{descriptors::Description, files},
};

/// sync(2): brings what is open or mapped, and what was written to disks, to where it stays. What else has been closed
/// is at the host already.
pub fn sync() -> Result {
    // It has no errors to tell.
    let _ = synchronise(None);
    Ok(0)
}

/// Does so for the file system with that number (`Node::system`), or for all, and for all disks; the first error.
pub fn synchronise(system: Option<usize>) -> core::result::Result<(), FileError> {
    let all = &crate::space().limits();
    let stored = crate::space().flush(all).map_err(|error| match error {
        NotKept::NoRoom => FileError::NoSpace,
        NotKept::NoQuota => FileError::NoQuota,
        NotKept::Failed => FileError::Failed,
    });
    // Collected, so that the table is not locked while the host writes.
    let open = crate::objects::process::descriptors().all();
    let files = open
        .iter()
        .filter(|description| system.is_none_or(|system| description.node.system() == system))
        .map(|description| description.node.sync(true))
        .fold(stored, core::result::Result::and);
    // What of it was for a disk is at the disk now.
    let disks = contracts::volumes::flush();
    files.and(disks)
}

/// syncfs(2): as sync, for the file system that a descriptor is of, and says if that does not go well.
pub fn syncfs(descriptor: FileDescriptor) -> Result {
    let description = &files::usable(descriptor)?;
    files::done(synchronise(Some(description.node.system())))
}

/// fsync(2): waits until contents and metadata are where they stay.
pub fn fsync(descriptor: FileDescriptor) -> Result {
    let description = &files::usable(descriptor)?;
    write_back(description, true)
}

/// As [`fsync`], with or without metadata. EINVAL for what keeps nothing.
#[inline(never)]
pub fn write_back(description: &Description, metadata: bool) -> Result {
    if !matches!(description.kind, Kind::Regular | Kind::Directory | Kind::Block) {
        return Err(Errno::EINVAL);
    }
    files::done(description.node.sync(metadata))
}

/// fdatasync(2): as fsync, without the metadata that reading does not need.
pub fn fdatasync(descriptor: FileDescriptor) -> Result {
    let description = &files::usable(descriptor)?;
    write_back(description, false)
}

/// sync_file_range(2): writes all of a file, whatever part of it was meant.
pub fn sync_file_range(descriptor: FileDescriptor, offset: i64, length: i64, flags: SyncRangeFlags) -> Result {
    let description = &files::usable(descriptor)?;
    let start = advice::offset(offset)?;
    let length = advice::offset(length)?;
    if !SyncRangeFlags::NAMED.contains(flags) || start.checked_add(length).is_none_or(|end| end > i64::MAX as u64) {
        return Err(Errno::EINVAL);
    }
    match description.kind {
        Kind::Regular | Kind::Directory | Kind::Block => write_back(description, false),
        _ => Err(Errno::ESPIPE),
    }
}
