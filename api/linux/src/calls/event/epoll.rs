//! Sets of descriptors to wait for: epoll(7).

use alloc::sync::Arc;

use linux_abi::{
    Errno,
    constants::{EPOLL_CTL_ADD, EPOLL_CTL_DEL, EPOLL_CTL_MOD, EPOLLEXCLUSIVE, O_CLOEXEC},
    structures::EpollEvent,
};
use vfs::{Kind, Seeking};

use crate::{
    Call, Result,
    objects::{
        descriptors::Description,
        events, files, signals,
        timers::moments::{deadline, milliseconds},
        user,
    },
};

/// epoll_create(2): a set of descriptors to watch.
///
/// The size says nothing, but must be positive.
pub fn epoll_create(call: &mut Call) -> Result {
    if call.int(0) <= 0 {
        return Err(Errno::EINVAL);
    }
    make(0)
}

/// epoll_create1(2): a set of descriptors to watch.
///
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

/// epoll_ctl(2): changes a set of descriptors to watch.
///
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

/// epoll_wait(2): waits for events of a set of descriptors.
///
/// At most so many milliseconds; for ever if negative.
pub fn epoll_wait(call: &mut Call) -> Result {
    wait(call, milliseconds(call.int(3)))
}

/// Writes the events of the set that a call names first; answers how many.
pub fn wait(call: &Call, deadline: Option<u64>) -> Result {
    const MOST: usize = i32::MAX as usize / size_of::<EpollEvent>();
    let address = call.argument(1);
    let most = usize::try_from(call.int(2)).ok().filter(|&most| most > 0 && most <= MOST).ok_or(Errno::EINVAL)?;
    user::check_buffer(address, most * size_of::<EpollEvent>())?;
    let set = files::usable(call.int(0))?;
    let epoll: &events::Epoll = set.node_as()?;
    let found = epoll.wait(most, deadline)?;
    user::write_array(address, &found)?;
    Ok(found.len())
}

/// epoll_pwait(2): as epoll_wait, under another signal mask.
pub fn epoll_pwait(call: &mut Call) -> Result {
    let deadline = milliseconds(call.int(3));
    signals::masked(call.argument(4), call.argument(5), || wait(call, deadline))
}

/// epoll_pwait2(2): as epoll_pwait, with a finer limit.
pub fn epoll_pwait2(call: &mut Call) -> Result {
    let deadline = deadline(call.argument(3))?;
    signals::masked(call.argument(4), call.argument(5), || wait(call, deadline))
}
