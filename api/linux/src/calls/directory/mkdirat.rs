//! mkdirat(2).

use vfs::MakeKind;

use crate::{Call, Result, objects::files};

/// Makes a directory, relative to another.
pub fn mkdirat(call: &mut Call) -> Result {
    make(call.int(0), call.argument(1), call.unsigned(2))
}

/// Makes a directory at the path at `address`.
pub fn make(directory: i32, address: usize, mode: u32) -> Result {
    // mkdir(2): of the mode, permissions and the sticky bit count.
    files::make(directory, address, MakeKind::Directory, mode & 0o1777)
}
