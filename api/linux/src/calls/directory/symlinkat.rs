//! symlinkat(2).

use linux_abi::Errno;
use vfs::MakeKind;

use crate::{
    Call, Result,
    objects::{files, user},
};

/// Makes a symbolic link, relative to a directory.
pub fn symlinkat(call: &mut Call) -> Result {
    make(call.argument(0), call.int(1), call.argument(2))
}

/// Makes a link with the text at `target` at the path at `address`.
pub fn make(target: usize, directory: i32, address: usize) -> Result {
    let target = user::read_path(target)?;
    if target.is_empty() {
        return Err(Errno::ENOENT);
    }
    files::make(directory, address, MakeKind::Link(&target), 0o777)
}
