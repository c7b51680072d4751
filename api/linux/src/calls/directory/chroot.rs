//! chroot(2).

use identity::Capability;
use linux_abi::{Errno, constants::AT_FDCWD};

use super::chdir;
use crate::{Call, Result, objects::files};

/// Changes what `/` means, for root only.
pub fn chroot(call: &mut Call) -> Result {
    let node = files::node_at(AT_FDCWD, call.argument(0), 0)?;
    chdir::check(&node)?;
    if !crate::objects::process::may(Capability::SysChroot) {
        return Err(Errno::EPERM);
    }
    // What is left goes when nothing is locked.
    let left = core::mem::replace(&mut crate::objects::process::location().root, node);
    drop(left);
    Ok(0)
}
