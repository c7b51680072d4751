//! chroot(2).

use linux_abi::{Errno, constants::AT_FDCWD};

use crate::{Call, Result, directory::chdir, files, process};

/// Changes what `/` means, for root only.
pub fn chroot(call: &mut Call) -> Result {
    let node = files::node_at(AT_FDCWD, call.argument(0), 0)?;
    chdir::check(&node)?;
    if !process().identity.lock().is_privileged() {
        return Err(Errno::EPERM);
    }
    process().location.lock().root = node;
    Ok(0)
}
