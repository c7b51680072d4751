//! fsync(2).

use linux_abi::Errno;
use vfs::Kind;

use crate::{Call, Result, files};

/// Contents live in memory and end with the machine: there is nothing to wait for.
pub fn fsync(call: &mut Call) -> Result {
    files::using(call, |_, description| {
        if matches!(description.kind, Kind::Regular | Kind::Directory | Kind::Block) {
            Ok(0)
        } else {
            Err(Errno::EINVAL)
        }
    })
}
