//! memfd_create(2).

use alloc::{sync::Arc, vec::Vec};

use linux_abi::{
    Errno, UserPath,
    constants::{F_SEAL_EXEC, F_SEAL_SEAL, MemfdFlags, OpenFlags},
};
use vfs::Node;

use crate::{
    Result,
    objects::{
        descriptors::{description::Description, origin::Origin},
        files::{self, MemFd},
        user,
    },
};

/// Longest name, the prefix `memfd:` not counted.
const LONGEST_NAME: usize = 249;

/// A file in memory without a name in the tree.
pub fn memfd_create(name: UserPath, flags: MemfdFlags) -> Result {
    if !(MemfdFlags::MFD_CLOEXEC | MemfdFlags::MFD_ALLOW_SEALING | MemfdFlags::MFD_NOEXEC_SEAL | MemfdFlags::MFD_EXEC)
        .contains(flags)
    {
        return Err(Errno::EINVAL);
    }
    let (seals, mode) = match (flags.contains(MemfdFlags::MFD_NOEXEC_SEAL), flags.contains(MemfdFlags::MFD_EXEC)) {
        (true, true) => return Err(Errno::EINVAL),
        (true, false) => (F_SEAL_EXEC, 0o666),
        _ if flags.contains(MemfdFlags::MFD_ALLOW_SEALING) => (0, 0o777),
        _ => (F_SEAL_SEAL, 0o777),
    };
    let name = user::read_string(name, LONGEST_NAME + 1, Errno::EINVAL)?;
    let mut path = Vec::from(b"/memfd:");
    path.extend_from_slice(crate::objects::text::lossy(&name).as_bytes());
    path.extend_from_slice(b" (deleted)");
    let node = fs::memory_file(mode).map_err(crate::objects::errors::errno)?;
    let node: Arc<dyn Node> = Arc::new(MemFd::new(node, seals));
    let description = Description::new(Arc::clone(&node), node, OpenFlags::O_RDWR, Origin::Named(path.into()));
    files::install(description, flags.contains(MemfdFlags::MFD_CLOEXEC))
}
