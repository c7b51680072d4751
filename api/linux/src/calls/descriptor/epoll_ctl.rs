//! epoll_ctl(2): changes a set of descriptors to watch.

use alloc::sync::Arc;

use linux_abi::{
    Errno,
    constants::{EPOLL_CTL_ADD, EPOLL_CTL_DEL, EPOLL_CTL_MOD, EPOLLEXCLUSIVE},
    structures::EpollEvent,
};
use vfs::{Kind, Seeking};

use crate::{
    Call, Result,
    objects::{descriptors::Description, events, files, user},
};

/// In the order of Linux' checks.
pub fn epoll_ctl(call: &mut Call) -> Result {
    let (operation, number) = (call.unsigned(1), call.int(2));
    let event: EpollEvent =
        if operation == EPOLL_CTL_DEL { EpollEvent::default() } else { user::read_struct(call.argument(3))? };
    let set = files::usable(call.int(0))?;
    let description = files::usable(number)?;
    if !can_wait(&description) {
        return Err(Errno::EPERM);
    }
    let epoll: &events::Epoll = set.node_as()?;
    if Arc::ptr_eq(&set, &description) || operation == EPOLL_CTL_MOD && event.events & EPOLLEXCLUSIVE != 0 {
        return Err(Errno::EINVAL);
    }
    match operation {
        EPOLL_CTL_ADD => epoll.add(number, &description, event)?,
        EPOLL_CTL_MOD => epoll.change(number, &description, event)?,
        EPOLL_CTL_DEL => epoll.remove(number, &description)?,
        _ => return Err(Errno::EINVAL),
    }
    Ok(0)
}

/// Files, directories and devices that never wait cannot be watched.
fn can_wait(description: &Description) -> bool {
    match description.kind {
        Kind::Regular | Kind::Directory => false,
        // A message queue waits although its text has positions.
        Kind::Event => true,
        _ => description.seeking == Seeking::Stream,
    }
}
