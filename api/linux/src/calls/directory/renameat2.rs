//! renameat2(2).

use crate::objects::errors;
use linux_abi::{
    Errno,
    constants::{RENAME_EXCHANGE, RENAME_NOREPLACE},
};
use vfs::RenameMode;

use crate::{
    Call, Result,
    objects::{descriptors::watching, files::Seen},
};

/// As renameat, with a say in what happens to an entry in the way.
pub fn renameat2(call: &mut Call) -> Result {
    rename((call.int(0), call.argument(1)), (call.int(2), call.argument(3)), call.unsigned(4))
}

/// Renames; each place is a directory descriptor and a path's address.
pub fn rename(old: (i32, usize), new: (i32, usize), flags: u32) -> Result {
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
