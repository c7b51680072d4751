//! faccessat2(2).

use linux_abi::{
    Errno,
    constants::{AT_EACCESS, AT_EMPTY_PATH, AT_SYMLINK_NOFOLLOW, R_OK, W_OK, X_OK},
};
use vfs::{Credentials, Rights};

use crate::{Call, Result, files};

/// As faccessat, with flags.
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
    files::done(who.check(&node.metadata(), Rights(mode)))
}

fn real_credentials() -> Credentials {
    let identity = crate::state::identity();
    Credentials { user: identity.user.real, group: identity.group.real, groups: identity.groups.clone() }
}
