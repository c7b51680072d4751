//! sync(2).

use alloc::{sync::Arc, vec::Vec};

use kernel::memory::NotKept;
use vfs::FileError;

use crate::{Call, Result, objects::descriptors::Description};

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
    let files = open_files()
        .iter()
        .filter(|description| system.is_none_or(|system| description.node.system() == system))
        .map(|description| description.node.sync(true))
        .fold(stored, core::result::Result::and);
    // What of it was for a disk is at the disk now.
    let disks = contracts::volumes::flush();
    files.and(disks)
}

/// Collected, so that the table is not locked while the host writes.
fn open_files() -> Vec<Arc<Description>> {
    let table = crate::objects::process::descriptors();
    let mut files = Vec::new();
    let mut number = 0;
    while let Some(next) = table.next(number) {
        files.extend(table.get(next as i32).cloned());
        number = next + 1;
    }
    files
}
