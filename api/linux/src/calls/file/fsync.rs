//! fsync(2).

use crate::objects::descriptors::description;
use linux_abi::Errno;
use vfs::Kind;

use crate::{Call, Result, objects::files};

/// Waits until contents and metadata are where they stay.
pub fn fsync(call: &mut Call) -> Result {
    files::using(call, |_, description| synchronise(description, true))
}

/// As [`fsync`], with or without metadata. EINVAL for what keeps nothing.
#[inline(never)]
pub fn synchronise(description: &description::Description, metadata: bool) -> Result {
    if !matches!(description.kind, Kind::Regular | Kind::Directory | Kind::Block) {
        return Err(Errno::EINVAL);
    }
    files::done(description.node.sync(metadata))
}
