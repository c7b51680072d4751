//! Giving files other names.

use linux_abi::{Directory, Errno, UserPath, constants::RenameFlags};
use vfs::RenameMode;

use crate::{
    Result,
    objects::{descriptors::watching, errors, files::Seen},
};

/// rename(2): gives an entry another name or place.
pub fn rename(old: UserPath, new: UserPath) -> Result {
    rename_entry((Directory::WORKING, old), (Directory::WORKING, new), RenameFlags::empty())
}

/// renameat(2): as rename, relative to directories.
pub fn renameat(old_directory: Directory, old: UserPath, new_directory: Directory, new: UserPath) -> Result {
    rename_entry((old_directory, old), (new_directory, new), RenameFlags::empty())
}

/// renameat2(2): as renameat, with a say in what happens to an entry in the way.
pub fn renameat2(
    old_directory: Directory,
    old: UserPath,
    new_directory: Directory,
    new: UserPath,
    flags: RenameFlags,
) -> Result {
    rename_entry((old_directory, old), (new_directory, new), flags)
}

/// Renames; each place is a directory and a path.
pub fn rename_entry(old: (Directory, UserPath), new: (Directory, UserPath), flags: RenameFlags) -> Result {
    let mode = match flags {
        _ if flags.is_empty() => RenameMode::Replace,
        RenameFlags::RENAME_NOREPLACE => RenameMode::Keep,
        RenameFlags::RENAME_EXCHANGE => RenameMode::Exchange,
        _ => return Err(Errno::EINVAL),
    };
    let from = Seen::at(old.0, old.1)?;
    let to = Seen::at(new.0, new.1)?;
    let places = from.view().renamed(&from.path, &to.view(), &to.path, mode).map_err(errors::errno)?;
    let open = crate::objects::process::descriptors().all();
    open.iter().for_each(|description| description.follow_rename(&places, mode));
    watching::renamed(places, mode);
    Ok(0)
}
