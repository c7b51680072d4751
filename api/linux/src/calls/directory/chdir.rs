//! chdir(2).

use crate::objects::errors;
use alloc::sync::Arc;

use linux_abi::{Errno, constants::AT_FDCWD};
use vfs::{Kind, Node, Rights};

use crate::{Call, Result, objects::files};

/// Changes where relative paths start.
pub fn chdir(call: &mut Call) -> Result {
    enter(files::node_at(AT_FDCWD, call.argument(0), 0)?)
}

/// Makes `node` the working directory.
pub fn enter(node: Arc<dyn Node>) -> Result {
    check(&node)?;
    // What is left goes when nothing is locked: its file system may have to be asked.
    let left = core::mem::replace(&mut crate::objects::process::location().directory, node);
    drop(left);
    Ok(0)
}

/// ENOTDIR or EACCES for what cannot be a working directory.
pub fn check(node: &Arc<dyn Node>) -> core::result::Result<(), Errno> {
    if node.kind() != Kind::Directory {
        return Err(Errno::ENOTDIR);
    }
    files::credentials().check(&node.metadata(), Rights::EXECUTE).map_err(errors::errno)
}
