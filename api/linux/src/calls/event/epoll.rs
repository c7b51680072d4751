//! Sets of descriptors to wait for: epoll(7).

use alloc::sync::Arc;

use linux_abi::{
    Errno, FileDescriptor, UserAddress, UserSignalSet, UserTime,
    constants::{EPOLL_CTL_ADD, EPOLL_CTL_DEL, EPOLL_CTL_MOD, EPOLLEXCLUSIVE, OpenFlags},
    structures::EpollEvent,
};
use vfs::{Kind, Seeking};

use crate::{
    Result,
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
pub fn epoll_create(size: i32) -> Result {
    if size <= 0 {
        return Err(Errno::EINVAL);
    }
    make(OpenFlags::empty())
}

/// epoll_create1(2): a set of descriptors to watch.
///
/// Answers its descriptor.
pub fn epoll_create1(flags: OpenFlags) -> Result {
    if !OpenFlags::O_CLOEXEC.contains(flags) {
        return Err(Errno::EINVAL);
    }
    make(flags)
}

/// A new set.
pub fn make(flags: OpenFlags) -> Result {
    events::open(events::Epoll::new(), b"anon_inode:[eventpoll]", flags)
}

/// epoll_ctl(2): changes a set of descriptors to watch.
///
/// In the order of Linux' checks.
pub fn epoll_ctl(epoll: FileDescriptor, operation: u32, descriptor: FileDescriptor, event: UserAddress) -> Result {
    let event: EpollEvent = if operation == EPOLL_CTL_DEL { EpollEvent::default() } else { user::read_struct(event)? };
    let set = files::usable(epoll)?;
    let description = files::usable(descriptor)?;
    if !can_wait(&description) {
        return Err(Errno::EPERM);
    }
    let epoll: &events::Epoll = set.node_as()?;
    if Arc::ptr_eq(&set, &description) || operation == EPOLL_CTL_MOD && event.events & EPOLLEXCLUSIVE != 0 {
        return Err(Errno::EINVAL);
    }
    match operation {
        EPOLL_CTL_ADD => epoll.add(descriptor.0, &description, event)?,
        EPOLL_CTL_MOD => epoll.change(descriptor.0, &description, event)?,
        EPOLL_CTL_DEL => epoll.remove(descriptor.0, &description)?,
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
pub fn epoll_wait(epoll: FileDescriptor, events: UserAddress, count: i32, timeout: i32) -> Result {
    wait_in_line(epoll, events, count, || milliseconds(timeout))
}

/// Writes the events of the set at a descriptor; answers how many.
#[inline(never)]
fn wait(epoll: FileDescriptor, to: UserAddress, count: i32, deadline: Option<u64>) -> Result {
    wait_in_line(epoll, to, count, || deadline)
}

/// It, with a limit that is worked out only where there is something to wait for.
#[inline(always)]
fn wait_in_line(epoll: FileDescriptor, to: UserAddress, count: i32, deadline: impl FnOnce() -> Option<u64>) -> Result {
    const MOST: usize = i32::MAX as usize / size_of::<EpollEvent>();
    let most = usize::try_from(count).ok().filter(|&most| most > 0 && most <= MOST).ok_or(Errno::EINVAL)?;
    user::check_buffer(to, most * size_of::<EpollEvent>())?;
    let set = files::usable(epoll)?;
    let epoll: &events::Epoll = set.node_as()?;
    let mut found = events::Events::new();
    // Most who ask find something at once, and need nothing of what waiting needs.
    epoll.look(most, &mut found);
    if found.is_empty() {
        epoll.wait(most, deadline(), &mut found)?;
    }
    user::write_array(to, &found)?;
    Ok(found.len())
}

/// epoll_pwait(2): as epoll_wait, under another signal mask.
pub fn epoll_pwait(
    epoll: FileDescriptor,
    events: UserAddress,
    count: i32,
    timeout: i32,
    mask: UserSignalSet,
    size: usize,
) -> Result {
    let deadline = milliseconds(timeout);
    signals::masked(mask, size, || wait(epoll, events, count, deadline))
}

/// epoll_pwait2(2): as epoll_pwait, with a finer limit.
pub fn epoll_pwait2(
    epoll: FileDescriptor,
    events: UserAddress,
    count: i32,
    timeout: UserTime,
    mask: UserSignalSet,
    size: usize,
) -> Result {
    let deadline = deadline(timeout)?;
    signals::masked(mask, size, || wait(epoll, events, count, deadline))
}
