//! epoll_create1(2): a set of descriptors to watch.

use linux_abi::{Errno, constants::O_CLOEXEC};

use crate::{Call, Result, objects::events};

/// Answers its descriptor.
pub fn epoll_create1(call: &mut Call) -> Result {
    let flags = call.unsigned(0);
    if flags & !O_CLOEXEC != 0 {
        return Err(Errno::EINVAL);
    }
    make(flags)
}

/// A new set.
pub fn make(flags: u32) -> Result {
    events::open(events::Epoll::new(), b"anon_inode:[eventpoll]", flags)
}
