//! mknodat(2).

use identity::Capability;
use linux_abi::{
    Errno,
    constants::{S_IFBLK, S_IFCHR, S_IFDIR, S_IFIFO, S_IFREG, S_IFSOCK},
};
use vfs::{Kind, MakeKind};

use crate::{Call, Result, objects::files};

/// Makes a file of any kind, relative to a directory.
pub fn mknodat(call: &mut Call) -> Result {
    make(call.int(0), call.argument(1), call.unsigned(2), call.argument(3) as u64)
}

/// Makes a file at the path at `address`.
pub fn make(directory: i32, address: usize, mode: u32, device: u64) -> Result {
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
