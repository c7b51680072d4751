//! Pipes.

use alloc::sync::Arc;

use linux_abi::{Errno, UserAddress, constants::OpenFlags};
use vfs::Node;

use crate::{
    Result,
    objects::{
        descriptors::{description::Description, origin::Origin},
        files,
    },
};

/// pipe(2): a pipe's two ends.
pub fn pipe(descriptors: UserAddress) -> Result {
    make(descriptors, OpenFlags::empty())
}

/// pipe2(2): as pipe, with flags. With O_DIRECT each write is a packet, which a read takes whole.
pub fn pipe2(descriptors: UserAddress, flags: OpenFlags) -> Result {
    make(descriptors, flags)
}

/// Writes the descriptors of a new pipe's reading and writing end to `address`.
pub fn make(address: UserAddress, flags: OpenFlags) -> Result {
    if !(OpenFlags::O_CLOEXEC | OpenFlags::O_DIRECT | OpenFlags::O_NONBLOCK).contains(flags) {
        return Err(Errno::EINVAL);
    }
    let (reader, writer) = fs::pipe();
    let open = |node: Arc<dyn Node>, access: OpenFlags| {
        let description = Description::new(Arc::clone(&node), node, access, Origin::Pipe);
        let kept = if access == OpenFlags::O_WRONLY {
            OpenFlags::O_NONBLOCK | OpenFlags::O_DIRECT
        } else {
            OpenFlags::O_NONBLOCK
        };
        if flags.intersects(kept) {
            description.set_flags(flags & kept);
        }
        files::install(description, flags.contains(OpenFlags::O_CLOEXEC))
    };
    files::install_two(address, || open(reader, OpenFlags::O_RDONLY), || open(writer, OpenFlags::O_WRONLY))
}
