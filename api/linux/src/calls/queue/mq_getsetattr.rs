//! mq_getattr(3) and mq_setattr(3).

use linux_abi::{Errno, constants::O_NONBLOCK, structures::QueueAttributes};

use crate::objects::message_queues::opened;
use crate::{Call, Result, objects::user};

/// Only O_NONBLOCK can be changed.
pub fn mq_getsetattr(call: &mut Call) -> Result {
    let new: Option<QueueAttributes> = user::read_optional(call.argument(1))?;
    if new.is_some_and(|new| new.mq_flags & !i64::from(O_NONBLOCK) != 0) {
        return Err(Errno::EINVAL);
    }
    let (description, queue) = opened(call.int(0))?;
    let (attributes, count) = {
        let post = queue.post.lock();
        (post.attributes, post.count())
    };
    let flags = description.flags();
    let old = QueueAttributes {
        mq_flags: i64::from(flags & O_NONBLOCK),
        mq_maxmsg: attributes.most as i64,
        mq_msgsize: attributes.longest as i64,
        mq_curmsgs: count as i64,
        ..QueueAttributes::default()
    };
    if let Some(new) = new {
        description.set_flags(flags & !O_NONBLOCK | new.mq_flags as u32);
    }
    user::write_optional(call.argument(2), &old)?;
    Ok(0)
}
