//! memfd_create(2).

use alloc::{sync::Arc, vec::Vec};

use linux_abi::{
    Errno,
    constants::{F_SEAL_EXEC, F_SEAL_SEAL, MFD_ALLOW_SEALING, MFD_CLOEXEC, MFD_EXEC, MFD_NOEXEC_SEAL, O_RDWR},
};
use vfs::Node;

use crate::{
    Call, Result,
    objects::{
        descriptors::{description::Description, origin::Origin},
        files::{self, MemFd},
        user,
    },
};

/// Longest name, the prefix `memfd:` not counted.
const LONGEST_NAME: usize = 249;

/// A file in memory without a name in the tree.
pub fn memfd_create(call: &mut Call) -> Result {
    let flags = call.unsigned(1);
    if flags & !(MFD_CLOEXEC | MFD_ALLOW_SEALING | MFD_NOEXEC_SEAL | MFD_EXEC) != 0 {
        return Err(Errno::EINVAL);
    }
    let (seals, mode) = match (flags & MFD_NOEXEC_SEAL != 0, flags & MFD_EXEC != 0) {
        (true, true) => return Err(Errno::EINVAL),
        (true, false) => (F_SEAL_EXEC, 0o666),
        _ if flags & MFD_ALLOW_SEALING != 0 => (0, 0o777),
        _ => (F_SEAL_SEAL, 0o777),
    };
    let name = user::read_string(call.argument(0), LONGEST_NAME + 1, Errno::EINVAL)?;
    let mut path = Vec::from(b"/memfd:");
    path.extend_from_slice(crate::objects::text::lossy(&name).as_bytes());
    path.extend_from_slice(b" (deleted)");
    let node = fs::memory_file(mode).map_err(crate::objects::errors::errno)?;
    let node: Arc<dyn Node> = Arc::new(MemFd::new(node, seals));
    let description = Description::new(Arc::clone(&node), node, O_RDWR, Origin::Named(path.into()));
    files::install(description, flags & MFD_CLOEXEC != 0)
}
