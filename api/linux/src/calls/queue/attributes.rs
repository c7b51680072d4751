//! What a queue is, and who is told of its first message.

use alloc::sync::Arc;

use linux_abi::{
    Errno, FileDescriptor, UserAddress,
    constants::{OpenFlags, SIGEV_NONE, SIGEV_SIGNAL, SIGEV_THREAD},
    structures::{QueueAttributes, SignalEvent},
};

use crate::{
    Result, current,
    objects::{
        files,
        message_queues::{Notice, opened},
        user,
    },
    process,
};

/// The one flag, as wide as it is in `struct mq_attr`.
const NONBLOCK: i64 = OpenFlags::O_NONBLOCK.bits() as i64;

/// mq_getattr(3) and mq_setattr(3).
///
/// Only O_NONBLOCK can be changed.
pub fn mq_getsetattr(queue: FileDescriptor, new: UserAddress, old: UserAddress) -> Result {
    let new: Option<QueueAttributes> = user::read_optional(new)?;
    if new.is_some_and(|new| new.mq_flags & !NONBLOCK != 0) {
        return Err(Errno::EINVAL);
    }
    let (description, queue) = opened(queue)?;
    let (attributes, count) = {
        let post = queue.post.lock();
        (post.attributes, post.count())
    };
    let flags = description.flags();
    let before = QueueAttributes {
        mq_flags: (flags & OpenFlags::O_NONBLOCK).bits().into(),
        mq_maxmsg: attributes.most as i64,
        mq_msgsize: attributes.longest as i64,
        mq_curmsgs: count as i64,
        ..QueueAttributes::default()
    };
    if let Some(new) = new {
        let wanted = OpenFlags::from_bits_retain(new.mq_flags as u32);
        description.set_flags((flags - OpenFlags::O_NONBLOCK) | wanted);
    }
    user::write_optional(old, &before)?;
    Ok(0)
}

/// The highest signal.
const SIGNALS: i32 = 64;

/// mq_notify(3): says who is to be told when a message comes into the empty queue.
///
/// One process at a time (EBUSY); NULL forgets the caller's wish. A C library's thread would be told by a netlink
/// socket, of which there are none: without one it answers ENOSYS itself, and does not come here.
pub fn mq_notify(queue: FileDescriptor, event: UserAddress) -> Result {
    let event: Option<SignalEvent> = user::read_optional(event)?;
    if let Some(event) = event {
        check(&event)?;
    }
    let (_, queue) = opened(queue)?;
    let mut post = queue.post.lock();
    let own = process().id;
    let gone = match event {
        None => post.notice.take_if(|notice| notice.id == own),
        Some(_) if post.notice.is_some() => return Err(Errno::EBUSY),
        Some(event) => post.notice.replace(Notice { process: Arc::downgrade(&current().process), id: own, event }),
    };
    drop(post);
    drop(gone);
    Ok(0)
}

fn check(event: &SignalEvent) -> core::result::Result<(), Errno> {
    match event.sigev_notify {
        SIGEV_NONE => Ok(()),
        SIGEV_SIGNAL if (0..=SIGNALS).contains(&event.sigev_signo) => Ok(()),
        SIGEV_THREAD => files::usable(FileDescriptor(event.sigev_signo)).and(Err(Errno::ENOTSOCK)),
        _ => Err(Errno::EINVAL),
    }
}
