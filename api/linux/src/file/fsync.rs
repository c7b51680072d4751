//! fsync(2).

use linux_abi::Errno;
use vfs::Kind;

use crate::{Call, Result, files};

/// Waits until contents and metadata are where they stay.
pub fn fsync(call: &mut Call) -> Result {
    files::using(call, |_, description| synchronise(description, true))
}

/// As [`fsync`], with or without metadata. EINVAL for what keeps nothing.
#[inline(never)]
pub fn synchronise(description: &files::Description, metadata: bool) -> Result {
    if !matches!(description.kind, Kind::Regular | Kind::Directory | Kind::Block) {
        return Err(Errno::EINVAL);
    }
    files::done(description.node.sync(metadata))
}
