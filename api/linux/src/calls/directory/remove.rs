//! Taking names out of directories.

use linux_abi::{
    Errno,
    constants::{AT_FDCWD, AT_REMOVEDIR},
};
use vfs::Removal;

use crate::{
    Call, Result,
    objects::{
        descriptors::watching,
        files::{self, Seen},
    },
};

/// unlink(2): removes a name that is no directory's.
pub fn unlink(call: &mut Call) -> Result {
    remove(AT_FDCWD, call.argument(0), false)
}

/// rmdir(2): removes an empty directory.
pub fn rmdir(call: &mut Call) -> Result {
    remove(AT_FDCWD, call.argument(0), true)
}

/// unlinkat(2): removes a name, relative to a directory.
pub fn unlinkat(call: &mut Call) -> Result {
    let flags = call.unsigned(2);
    if flags & !AT_REMOVEDIR != 0 {
        return Err(Errno::EINVAL);
    }
    remove(call.int(0), call.argument(1), flags & AT_REMOVEDIR != 0)
}

/// Removes the name at the path at `address`: an empty directory's, or any other.
pub fn remove(directory: i32, address: usize, is_directory: bool) -> Result {
    let seen = Seen::at(directory, address)?;
    let removal = if is_directory { Removal::Directory } else { Removal::File };
    files::done(seen.view().remove(&seen.path, removal, watching::removed))
}
