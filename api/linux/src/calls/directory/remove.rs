//! Taking names out of directories.

use linux_abi::{Directory, Errno, UserPath, constants::AtFlags};
use vfs::Removal;

use crate::{
    Result,
    objects::{
        descriptors::watching,
        files::{self, Seen},
    },
};

/// unlink(2): removes a name that is no directory's.
pub fn unlink(path: UserPath) -> Result {
    remove(Directory::WORKING, path, false)
}

/// rmdir(2): removes an empty directory.
pub fn rmdir(path: UserPath) -> Result {
    remove(Directory::WORKING, path, true)
}

/// unlinkat(2): removes a name, relative to a directory.
pub fn unlinkat(directory: Directory, path: UserPath, flags: AtFlags) -> Result {
    if !AtFlags::AT_REMOVEDIR.contains(flags) {
        return Err(Errno::EINVAL);
    }
    remove(directory, path, flags.contains(AtFlags::AT_REMOVEDIR))
}

/// Removes the name at the path at `address`: an empty directory's, or any other.
pub fn remove(directory: Directory, address: UserPath, is_directory: bool) -> Result {
    let removal = if is_directory { Removal::Directory } else { Removal::File };
    Seen::with(directory, address, |seen| files::done(seen.view().remove(&seen.path, removal, watching::removed)))
}
