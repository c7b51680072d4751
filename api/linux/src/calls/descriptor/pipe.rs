//! Pipes.

use alloc::sync::Arc;

use linux_abi::{
    Errno,
    constants::{O_CLOEXEC, O_DIRECT, O_NONBLOCK, O_RDONLY, O_WRONLY},
};
use vfs::Node;

use crate::{
    Call, Result,
    objects::{
        descriptors::{description::Description, origin::Origin},
        files,
    },
};

/// pipe(2): a pipe's two ends.
pub fn pipe(call: &mut Call) -> Result {
    make(call.argument(0), 0)
}

/// pipe2(2): as pipe, with flags. With O_DIRECT each write is a packet, which a read takes whole.
pub fn pipe2(call: &mut Call) -> Result {
    make(call.argument(0), call.unsigned(1))
}

/// Writes the descriptors of a new pipe's reading and writing end to `address`.
pub fn make(address: usize, flags: u32) -> Result {
    if flags & !(O_CLOEXEC | O_DIRECT | O_NONBLOCK) != 0 {
        return Err(Errno::EINVAL);
    }
    let (reader, writer) = fs::pipe();
    let open = |node: Arc<dyn Node>, access: u32| {
        let description = Description::new(Arc::clone(&node), node, access, Origin::Pipe);
        let kept = if access == O_WRONLY { O_NONBLOCK | O_DIRECT } else { O_NONBLOCK };
        if flags & kept != 0 {
            description.set_flags(flags & kept);
        }
        files::install(description, flags & O_CLOEXEC != 0)
    };
    files::install_two(address, || open(reader, O_RDONLY), || open(writer, O_WRONLY))
}
