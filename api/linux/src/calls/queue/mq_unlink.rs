//! mq_unlink(3): takes a queue's name away. It goes when nobody has it open.

use crate::objects::errors;
use linux_abi::Errno;
use vfs::{Kind, Metadata};

use crate::objects::message_queues::{NAMES, name};
use crate::{Call, Result, objects::files};

/// EPERM for another's, as in a directory with the sticky bit.
pub fn mq_unlink(call: &mut Call) -> Result {
    let name = name(call.argument(0))?;
    let queue = NAMES.lock().get(&name).cloned().ok_or(Errno::ENOENT)?;
    let metadata = *queue.metadata.lock();
    let directory = Metadata::new(Kind::Directory, 0o1777);
    files::credentials().check_sticky(&directory, &metadata).map_err(errors::errno)?;
    let gone = NAMES.lock().remove(&name);
    gone.map(|_| 0).ok_or(Errno::ENOENT)
}
