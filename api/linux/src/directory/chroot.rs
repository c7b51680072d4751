//! chroot(2).

use identity::Capability;
use linux_abi::{Errno, constants::AT_FDCWD};

use crate::{Call, Result, directory::chdir, files};

/// Changes what `/` means, for root only.
pub fn chroot(call: &mut Call) -> Result {
    let node = files::node_at(AT_FDCWD, call.argument(0), 0)?;
    chdir::check(&node)?;
    if !crate::state::may(Capability::SysChroot) {
        return Err(Errno::EPERM);
    }
    crate::state::location().root = node;
    Ok(0)
}
