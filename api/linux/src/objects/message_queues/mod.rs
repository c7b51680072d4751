//! Message queues with names: mq_overview(7). The rules are in the element `ipc`; here are the queues by their names,
//! which belong to the machine, and descriptors that lead to them.

pub mod node;
pub mod table;

pub use node::{Notice, Opened};
pub use table::{NAMES, Named};

use alloc::{sync::Arc, vec::Vec};

use kernel::task;
use linux_abi::{Errno, FileDescriptor, UserPath, UserTime, constants::OpenFlags};

use crate::objects::{
    descriptors::Description,
    files,
    timers::moments::{from_now, nanoseconds},
    user,
};

/// Longest name (NAME_MAX).
pub const LONGEST_NAME: usize = 255;

/// The number for an error of a queue with priorities.
pub fn errno(error: ipc::Error) -> Errno {
    match error {
        ipc::Error::TooLong => Errno::EMSGSIZE,
        ipc::Error::WouldBlock => Errno::EAGAIN,
        _ => Errno::EINVAL,
    }
}

/// The name at `address`, without a slash.
pub fn name(address: UserPath) -> Result<Vec<u8>, Errno> {
    let name = user::read_path(address)?;
    match name.len() {
        0 => Err(Errno::ENOENT),
        _ if !ipc::post::is_name(&name) => Err(Errno::EACCES),
        length if length > LONGEST_NAME => Err(Errno::ENAMETOOLONG),
        _ => Ok(name),
    }
}

/// The open queue behind a descriptor: EBADF for anything else.
pub fn opened(descriptor: FileDescriptor) -> Result<(Arc<Description>, Arc<Named>), Errno> {
    let description = files::usable(descriptor)?;
    let queue = Arc::clone(&description.node_as::<Opened>().map_err(|_| Errno::EBADF)?.queue);
    Ok((description, queue))
}

/// How long a call waits, by the moment of the wall clock at `address`: `None` for ever.
pub fn deadline(address: UserTime) -> Result<Option<u64>, Errno> {
    if address.is_null() {
        return Ok(None);
    }
    Ok(Some(from_now(nanoseconds(address)?.saturating_sub(contracts::clock::wall()))))
}

/// The running thread as one who would wait, unless the descriptor says that it does not.
pub fn patient(description: &Description) -> Option<ipc::post::Patient> {
    let priority = task::parameters(task::current()).priority;
    (!description.flags().contains(OpenFlags::O_NONBLOCK)).then(|| (task::waker(), priority))
}
