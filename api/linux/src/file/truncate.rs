//! truncate(2).

use linux_abi::{Errno, constants::AT_FDCWD};
use vfs::{Follow, Kind, Rights};

use crate::{Call, Result, file::range, files, user};

/// Cuts or lengthens the file at a path.
pub fn truncate(call: &mut Call) -> Result {
    let path = user::read_path(call.argument(0))?;
    let length = range::offset(call.argument(1))?;
    let node = files::node_at(AT_FDCWD, &path, 0, Follow::Yes)?;
    match node.kind() {
        Kind::Regular => {}
        Kind::Directory => return Err(Errno::EISDIR),
        _ => return Err(Errno::EINVAL),
    }
    files::credentials().check(&node.metadata(), Rights::WRITE).map_err(files::errno)?;
    node.set_length(length).map_err(files::errno)?;
    Ok(0)
}
