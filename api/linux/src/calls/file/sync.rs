//! sync(2).

use kernel::memory::NotKept;
use vfs::FileError;

use crate::{Call, Result};

/// Brings what is open or mapped, and what was written to disks, to where it stays. What else has been closed is at the
/// host already.
pub fn sync(_call: &mut Call) -> Result {
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
