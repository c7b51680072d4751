//! mq_notify(3): says who is to be told when a message comes into the empty queue.

use alloc::sync::Arc;

use linux_abi::{
    Errno,
    constants::{SIGEV_NONE, SIGEV_SIGNAL, SIGEV_THREAD},
    structures::SignalEvent,
};

use crate::objects::message_queues::{Notice, opened};
use crate::{
    Call, Result, current,
    objects::{files, user},
    process,
};

/// The highest signal.
const SIGNALS: i32 = 64;

/// One process at a time (EBUSY); NULL forgets the caller's wish. A C library's thread would be told by a netlink socket,
/// of which there are none: without one it answers ENOSYS itself, and does not come here.
pub fn mq_notify(call: &mut Call) -> Result {
    let event: Option<SignalEvent> = user::read_optional(call.argument(1))?;
    if let Some(event) = event {
        check(&event)?;
    }
    let (_, queue) = opened(call.int(0))?;
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
        SIGEV_THREAD => files::usable(event.sigev_signo).and(Err(Errno::ENOTSOCK)),
        _ => Err(Errno::EINVAL),
    }
}
