//! mq_unlink(3): takes a queue's name away. It goes when nobody has it open.

use linux_abi::Errno;
use vfs::{Kind, Metadata};

use super::{NAMES, name};
use crate::{Call, Result, files};

/// EPERM for another's, as in a directory with the sticky bit.
pub fn mq_unlink(call: &mut Call) -> Result {
    let name = name(call.argument(0))?;
    let queue = NAMES.lock().get(&name).cloned().ok_or(Errno::ENOENT)?;
    let metadata = *queue.metadata.lock();
    let directory = Metadata::new(Kind::Directory, 0o1777);
    files::credentials().check_sticky(&directory, &metadata).map_err(files::errno)?;
    let gone = NAMES.lock().remove(&name);
    gone.map(|_| 0).ok_or(Errno::ENOENT)
}
