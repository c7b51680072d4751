//! chroot(2).

use linux_abi::{Errno, constants::AT_FDCWD};
use vfs::Follow;

use crate::{Call, Result, directory::chdir, files, process, user};

/// Changes what `/` means, for root only.
pub fn chroot(call: &mut Call) -> Result {
    let path = user::read_path(call.argument(0))?;
    let node = files::node_at(AT_FDCWD, &path, 0, Follow::Yes)?;
    chdir::check(&node)?;
    if !process().identity.lock().is_privileged() {
        return Err(Errno::EPERM);
    }
    process().location.lock().root = node;
    Ok(0)
}
