//! New directories, devices and the like.

use identity::Capability;
use linux_abi::{
    Directory, Errno, UserPath,
    constants::{S_IFBLK, S_IFCHR, S_IFDIR, S_IFIFO, S_IFREG, S_IFSOCK},
};
use vfs::{Kind, MakeKind};

use crate::{Result, objects::files};

/// mkdir(2): makes a directory.
pub fn mkdir(path: UserPath, mode: u32) -> Result {
    make_directory(Directory::WORKING, path, mode)
}

/// mkdirat(2): makes a directory, relative to another.
pub fn mkdirat(directory: Directory, path: UserPath, mode: u32) -> Result {
    make_directory(directory, path, mode)
}

/// Makes a directory at the path at `address`.
pub fn make_directory(directory: Directory, address: UserPath, mode: u32) -> Result {
    // mkdir(2): of the mode, permissions and the sticky bit count.
    files::make(directory, address, MakeKind::Directory, mode & 0o1777)
}

/// mknod(2): makes a file of any kind.
pub fn mknod(path: UserPath, mode: u32, device: usize) -> Result {
    make_node(Directory::WORKING, path, mode, device as u64)
}

/// mknodat(2): makes a file of any kind, relative to a directory.
pub fn mknodat(directory: Directory, path: UserPath, mode: u32, device: usize) -> Result {
    make_node(directory, path, mode, device as u64)
}

/// Makes a file at the path at `address`.
pub fn make_node(directory: Directory, address: UserPath, mode: u32, device: u64) -> Result {
    let device = files::unpacked_device(device);
    let kind = match mode & 0o170_000 {
        0 | S_IFREG => MakeKind::File,
        S_IFCHR => MakeKind::Special(Kind::Character, device),
        S_IFBLK => MakeKind::Special(Kind::Block, device),
        S_IFIFO => MakeKind::Special(Kind::Pipe, (0, 0)),
        S_IFSOCK => MakeKind::Special(Kind::Socket, (0, 0)),
        S_IFDIR => return Err(Errno::EPERM),
        _ => return Err(Errno::EINVAL),
    };
    let is_device = matches!(kind, MakeKind::Special(Kind::Character | Kind::Block, _));
    if is_device && !crate::objects::process::may(Capability::Mknod) {
        return Err(Errno::EPERM);
    }
    files::set_id::see(mode);
    files::make(directory, address, kind, mode)
}
