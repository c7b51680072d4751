//! Giving files other names.

use linux_abi::{
    Errno,
    constants::{AT_FDCWD, RENAME_EXCHANGE, RENAME_NOREPLACE},
};
use vfs::RenameMode;

use crate::{
    Call, Result,
    objects::{descriptors::watching, errors, files::Seen},
};

/// rename(2): gives an entry another name or place.
pub fn rename(call: &mut Call) -> Result {
    rename_entry((AT_FDCWD, call.argument(0)), (AT_FDCWD, call.argument(1)), 0)
}

/// renameat(2): as rename, relative to directories.
pub fn renameat(call: &mut Call) -> Result {
    rename_entry((call.int(0), call.argument(1)), (call.int(2), call.argument(3)), 0)
}

/// renameat2(2): as renameat, with a say in what happens to an entry in the way.
pub fn renameat2(call: &mut Call) -> Result {
    rename_entry((call.int(0), call.argument(1)), (call.int(2), call.argument(3)), call.unsigned(4))
}

/// Renames; each place is a directory descriptor and a path's address.
pub fn rename_entry(old: (i32, usize), new: (i32, usize), flags: u32) -> Result {
    let mode = match flags {
        0 => RenameMode::Replace,
        RENAME_NOREPLACE => RenameMode::Keep,
        RENAME_EXCHANGE => RenameMode::Exchange,
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
