//! unlinkat(2).

use linux_abi::{Errno, constants::AT_REMOVEDIR};

use crate::{Call, Result, files, user};

/// Removes a name, relative to a directory.
pub fn unlinkat(call: &mut Call) -> Result {
    let flags = call.unsigned(2);
    if flags & !AT_REMOVEDIR != 0 {
        return Err(Errno::EINVAL);
    }
    remove(call.int(0), call.argument(1), flags & AT_REMOVEDIR != 0)
}

/// Removes the name at the path at `address`: an empty directory's, or any other.
pub fn remove(directory: i32, address: usize, is_directory: bool) -> Result {
    let path = user::read_path(address)?;
    files::change(directory, &path, &|view, _| {
        if is_directory { view.remove_directory(&path) } else { view.remove_file(&path) }
    })
}
