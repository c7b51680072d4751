//! Whether a file may be read, written, executed.

use linux_abi::{
    Directory, Errno, UserPath,
    constants::{AccessAtFlags, AccessModes, AtFlags},
};
use vfs::{Credentials, Kind, Rights};

use crate::{
    Result,
    objects::{errors, files},
};

/// access(2): whether the process may, with its real ids.
pub fn access(path: UserPath, mode: AccessModes) -> Result {
    check(Directory::WORKING, path, mode, AccessAtFlags::empty())
}

/// faccessat(2), as the kernel has it: without flags.
///
/// As access, relative to a directory.
pub fn faccessat(directory: Directory, path: UserPath, mode: AccessModes) -> Result {
    check(directory, path, mode, AccessAtFlags::empty())
}

/// faccessat2(2): as faccessat, with flags.
pub fn faccessat2(directory: Directory, path: UserPath, mode: AccessModes, flags: AccessAtFlags) -> Result {
    check(directory, path, mode, flags)
}

/// Whether the process may do `mode` with what is at the path at `address`.
pub fn check(directory: Directory, address: UserPath, mode: AccessModes, flags: AccessAtFlags) -> Result {
    if !AccessModes::NAMED.contains(mode) || !AccessAtFlags::NAMED.contains(flags) {
        return Err(Errno::EINVAL);
    }
    let node =
        files::node_at(directory, address, AtFlags::from_bits_retain((flags - AccessAtFlags::AT_EACCESS).bits()))?;
    let who = if flags.contains(AccessAtFlags::AT_EACCESS) { files::credentials() } else { real_credentials() };
    let metadata = node.metadata();
    who.check(&metadata, Rights(mode.bits())).map_err(errors::errno)?;
    // What is written to a device does not change the file system.
    let changes = mode.contains(AccessModes::W_OK) && matches!(metadata.kind, Kind::Regular | Kind::Directory);
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
