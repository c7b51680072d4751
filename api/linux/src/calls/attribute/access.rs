//! Whether a file may be read, written, executed.

use linux_abi::{
    Errno,
    constants::{AT_EACCESS, AT_EMPTY_PATH, AT_FDCWD, AT_SYMLINK_NOFOLLOW, R_OK, W_OK, X_OK},
};
use vfs::{Credentials, Kind, Rights};

use crate::{
    Call, Result,
    objects::{errors, files},
};

/// access(2): whether the process may, with its real ids.
pub fn access(call: &mut Call) -> Result {
    check(AT_FDCWD, call.argument(0), call.unsigned(1), 0)
}

/// faccessat(2), as the kernel has it: without flags.
///
/// As access, relative to a directory.
pub fn faccessat(call: &mut Call) -> Result {
    check(call.int(0), call.argument(1), call.unsigned(2), 0)
}

/// faccessat2(2): as faccessat, with flags.
pub fn faccessat2(call: &mut Call) -> Result {
    check(call.int(0), call.argument(1), call.unsigned(2), call.unsigned(3))
}

/// Whether the process may do `mode` with what is at the path at `address`.
pub fn check(directory: i32, address: usize, mode: u32, flags: u32) -> Result {
    let known = AT_EACCESS | AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH;
    if mode & !(R_OK | W_OK | X_OK) != 0 || flags & !known != 0 {
        return Err(Errno::EINVAL);
    }
    let node = files::node_at(directory, address, flags)?;
    let who = if flags & AT_EACCESS != 0 { files::credentials() } else { real_credentials() };
    let metadata = node.metadata();
    who.check(&metadata, Rights(mode)).map_err(errors::errno)?;
    // What is written to a device does not change the file system.
    let changes = mode & W_OK != 0 && matches!(metadata.kind, Kind::Regular | Kind::Directory);
    if changes {
        files::check_change(&node)?;
    }
    Ok(0)
}

fn real_credentials() -> Credentials {
    let identity = crate::objects::process::identity();
    Credentials {
        user: identity.user.real,
        group: identity.group.real,
        groups: identity.groups.clone(),
        powers: files::powers(identity.real_capabilities()),
    }
}
