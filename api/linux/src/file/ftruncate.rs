//! ftruncate(2).

use linux_abi::Errno;
use vfs::Kind;

use crate::{Call, Result, file::range, files};

/// Cuts or lengthens an open file.
pub fn ftruncate(call: &mut Call) -> Result {
    let length = range::offset(call.argument(1))?;
    let description = files::usable(call.int(0))?;
    if description.node.kind() != Kind::Regular || description.check_writable().is_err() {
        return Err(Errno::EINVAL);
    }
    description.node.set_length(length).map_err(files::errno)?;
    Ok(0)
}
